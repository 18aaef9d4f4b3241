/** Returns the milliseconds that a `Retry-After` header asks to wait, given as seconds or as a date; null if it doesn't say. */
export function parseRetryAfter(header: string | null | undefined): number | null {
  if (header === null || header === undefined) return null
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}
