/** Quota of a key for the current day, as the API returns it. */
export type Quota = {
  limit: number
  remaining: number
  /** ISO 8601. */
  reset: string
}

/**
 * Returns the remaining quota after the request at `index` of `granted` equal requests that one statement charged
 * together, bringing the day's usage to `used`. Each response reports a distinct, gapless number.
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

/**
 * Returns when a key exhausts its quota if usage continues at today's average rate; undefined if it lasts until the
 * reset.
 */
export function projectExhaustion(used: number, limit: number, now: Date, reset: Date): Date | undefined {
  const elapsed = now.getTime() - (reset.getTime() - 86_400_000)
  if (used >= limit) return now
  if (used === 0) return undefined
  const out = new Date(now.getTime() + ((limit - used) / used) * elapsed)
  return out < reset ? out : undefined
}

/**
 * Returns the whole seconds until the reset, from 1 to 86,400. `now` must come from the clock that grants the quota, so
 * that a client that waits this long succeeds.
 */
export function retryAfterSeconds(reset: Date, now: Date): number {
  return Math.min(86_400, Math.max(1, Math.ceil((reset.getTime() - now.getTime()) / 1000)))
}
