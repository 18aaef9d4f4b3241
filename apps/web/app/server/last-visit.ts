const COOKIE = 'visit'
/** Looks that are further apart than this are two visits. */
const APART_MS = 30 * 60_000

/**
 * When the visit before this one ended, as far as this browser remembers, and the cookie by which it remembers this one:
 * the end of the visit before, and the last look, in seconds.
 */
export function visitOf(request: Request, now: Date): { before: Date | undefined; cookie: string } {
  const found = /(?:^|;\s*)visit=(\d{1,10})\.(\d{1,10})(?:;|$)/.exec(request.headers.get('cookie') ?? '')
  const [earlier, last] = [Number(found?.[1] ?? 0) * 1000, Number(found?.[2] ?? 0) * 1000]
  const before = now.getTime() - last > APART_MS ? last : earlier
  const seconds = (ms: number) => Math.floor(ms / 1000)
  return {
    before: before > 0 && before <= now.getTime() ? new Date(before) : undefined,
    cookie: `${COOKIE}=${seconds(before)}.${seconds(now.getTime())}; Path=/; Max-Age=${365 * 86_400}; SameSite=Lax; HttpOnly`,
  }
}
