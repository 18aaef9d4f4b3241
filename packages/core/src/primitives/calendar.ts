/** Months are counted from year 0, so that they can index an array; days are counted from 1970-01-01. */

/** Returns the month index (months since year 0) of 'YYYY-MM' or 'YYYY-MM-DD'. */
export function monthIndex(date: string): number {
  return Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1
}

/** Formats a month index as 'YYYY-MM'. */
export function formatMonth(index: number): string {
  const year = Math.floor(index / 12)
  return `${String(year).padStart(4, '0')}-${String(index - year * 12 + 1).padStart(2, '0')}`
}

/** Returns the day number (days since 1970-01-01) of 'YYYY-MM-DD'. */
export function dayNumber(date: string): number {
  return Date.parse(`${date.slice(0, 10)}T00:00:00Z`) / DAY_MS
}

/** Formats a day number as 'YYYY-MM-DD'. */
export function formatDay(day: number): string {
  if (day < 0 || day > LAST_CACHED_DAY) return computeDayText(day)
  return (DAY_TEXT_CACHE[day] ??= computeDayText(day))
}

function computeDayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

/** Returns the same date a year earlier; Feb 28 for Feb 29. */
export function yearBefore(day: number): number {
  const date = formatDay(day)
  const month = monthIndex(date) - 12
  return Math.min(lastDayOfMonth(month), lastDayOfMonth(month - 1) + Number(date.slice(8)))
}

/** Returns the UTC day number of an instant. */
export function utcDayOf(instant: Date): number {
  return Math.floor(instant.getTime() / DAY_MS)
}

/** Returns the day number of the last day of a month. */
export function lastDayOfMonth(index: number): number {
  return LAST_DAY_CACHE[index - 1970 * 12] ?? computeLastDay(index)
}

function computeLastDay(index: number): number {
  return Date.UTC(1970, index - 1970 * 12 + 1, 0) / DAY_MS
}

const DAY_MS = 86_400_000

/** Precomputed for 1970–2099: charting a large portfolio looks month ends up 100,000 times. */
const LAST_DAY_CACHE = Int32Array.from({ length: 130 * 12 }, (_, index) => computeLastDay(1970 * 12 + index))

/** For 1970–2099, filled as needed: a page of 250 lots has as many dates. */
const DAY_TEXT_CACHE: string[] = []
const LAST_CACHED_DAY = lastDayOfMonth(2099 * 12 + 11)
