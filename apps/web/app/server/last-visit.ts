const COOKIE = 'visit'
/** Looks that are further apart than this are two visits. */
const NEW_VISIT_AFTER_MS = 30 * 60_000

/**
 * When the visit before this one ended, as far as this browser remembers, and the cookie by which it remembers this one:
 * the end of the visit before, and the last look, in seconds.
 */
export function readLastVisit(request: Request, now: Date): { lastVisit: Date | undefined; cookie: string } {
  const found = /(?:^|;\s*)visit=(\d{1,10})\.(\d{1,10})(?:;|$)/.exec(request.headers.get('cookie') ?? '')
  const [previousVisitEnd, last] = [Number(found?.[1] ?? 0) * 1000, Number(found?.[2] ?? 0) * 1000]
  const lastVisit = now.getTime() - last > NEW_VISIT_AFTER_MS ? last : previousVisitEnd
  const seconds = (ms: number) => Math.floor(ms / 1000)
  return {
    lastVisit: lastVisit > 0 && lastVisit <= now.getTime() ? new Date(lastVisit) : undefined,
    cookie: `${COOKIE}=${seconds(lastVisit)}.${seconds(now.getTime())}; Path=/; Max-Age=${365 * 86_400}; SameSite=Lax; HttpOnly`,
  }
}
