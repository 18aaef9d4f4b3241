const MAX_UTC_OFFSET_MS = 14 * 3_600_000

/** Today in UTC, YYYY-MM-DD. */
export function today(): string {
  return new Date().toISOString().slice(0, 10)
}

/** The latest calendar date anywhere on earth (UTC+14), i.e. the latest valid purchase or sale date. */
export function latestPossibleDate(): string {
  return new Date(Date.now() + MAX_UTC_OFFSET_MS).toISOString().slice(0, 10)
}
