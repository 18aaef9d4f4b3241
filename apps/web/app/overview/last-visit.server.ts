const COOKIE = 'visit'
/** Requests further apart than this belong to different visits. */
const NEW_VISIT_AFTER_MS = 30 * 60_000

/**
 * Returns when the previous visit ended, and the cookie that tracks this one. The cookie holds two Unix times in
 * seconds: the end of the previous visit and the latest request.
 */
export function readLastVisit(request: Request, now: Date): { lastVisit: Date | undefined; cookie: string } {
  const match = /(?:^|;\s*)visit=(\d{1,10})\.(\d{1,10})(?:;|$)/.exec(request.headers.get('cookie') ?? '')
  const [previousVisitEnd, last] = [Number(match?.[1] ?? 0) * 1000, Number(match?.[2] ?? 0) * 1000]
  const lastVisit = now.getTime() - last > NEW_VISIT_AFTER_MS ? last : previousVisitEnd
  const seconds = (ms: number) => Math.floor(ms / 1000)
  return {
    lastVisit: lastVisit > 0 && lastVisit <= now.getTime() ? new Date(lastVisit) : undefined,
    cookie: `${COOKIE}=${seconds(lastVisit)}.${seconds(now.getTime())}; Path=/; Max-Age=${365 * 86_400}; SameSite=Lax; HttpOnly`,
  }
}
