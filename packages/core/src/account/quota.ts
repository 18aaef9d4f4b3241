/** What is left of a key's day, as the contract shows it. */
export type Quota = {
  limit: number
  remaining: number
  /** ISO 8601. */
  reset: string
}

/**
 * What was left right after the call at `place` of `granted` equal calls that one statement charged together,
 * leaving the day at `used`: each call sees its own number, without gaps and without twins.
 */
export function remainingAfterRequest(
  limit: number,
  used: number,
  cost: number,
  granted: number,
  index: number,
): number {
  return Math.max(0, limit - used + (granted - 1 - index) * cost)
}

/** When a key runs out if the rest of the day goes on like the day so far; undefined when it lasts until the reset. */
export function projectExhaustion(used: number, limit: number, now: Date, reset: Date): Date | undefined {
  const elapsed = now.getTime() - (reset.getTime() - 86_400_000)
  if (used >= limit) return now
  if (used === 0) return undefined
  const out = new Date(now.getTime() + ((limit - used) / used) * elapsed)
  return out < reset ? out : undefined
}

/** Whole seconds until the reset, by the clock that granted it, within 1 and a day: a client that waits them succeeds. */
export function retryAfterSeconds(reset: Date, now: Date): number {
  return Math.min(86_400, Math.max(1, Math.ceil((reset.getTime() - now.getTime()) / 1000)))
}
