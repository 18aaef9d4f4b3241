const RFC_3339 = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?(?:Z|([+-])(\d{2}):(\d{2}))$/i

/**
 * Parses an instant in any form of RFC 3339: letters in lower case, a space instead of the T, with or without a
 * fraction, and leap seconds, which count as the last moment of their minute. Seconds may be missing. Returns undefined
 * for other text and for days that don't exist.
 */
export function parseInstant(text: string): Date | undefined {
  const match = RFC_3339.exec(text)
  if (!match) return undefined
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const [fraction = '', sign, offsetHour, offsetMinute] = match.slice(7)
  if (hour > 23 || minute > 59 || second > 60 || Number(offsetHour ?? 0) > 23 || Number(offsetMinute ?? 0) > 59) {
    return undefined
  }
  const ms = second === 60 ? 999 : Number(fraction.slice(0, 3).padEnd(3, '0'))
  const local = new Date(0)
  local.setUTCFullYear(year, month - 1, day)
  if (local.getUTCMonth() !== month - 1 || local.getUTCDate() !== day) return undefined
  local.setUTCHours(hour, minute, Math.min(second, 59), ms)
  const offset = (Number(offsetHour ?? 0) * 60 + Number(offsetMinute ?? 0)) * 60_000
  return new Date(local.getTime() + (sign === '-' ? offset : -offset))
}
