/**
 * Returns the time zone that this browser saved on an earlier page, in its usual spelling; undefined if there is none or
 * it isn't known.
 */
export function readTimeZone(request: Request): string | undefined {
  const match = /(?:^|;\s*)time-zone=([A-Za-z][\w+/-]{1,63})(?:;|$)/.exec(request.headers.get('cookie') ?? '')
  if (match?.[1] === undefined) return undefined
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: match[1] }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}
