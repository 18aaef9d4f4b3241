/** Months are counted from year 0, so that they can index an array; days are counted from 1970-01-01. */

/** Months since year 0 of 'YYYY-MM' or 'YYYY-MM-DD'. */
export function monthIndex(date: string): number {
  return Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1
}

/** 'YYYY-MM' of a month index. */
export function formatMonth(index: number): string {
  const year = Math.floor(index / 12)
  return `${String(year).padStart(4, '0')}-${String(index - year * 12 + 1).padStart(2, '0')}`
}

/** Days since 1970-01-01 of 'YYYY-MM-DD'. */
export function dayNumber(date: string): number {
  return Date.parse(`${date.slice(0, 10)}T00:00:00Z`) / DAY_MS
}

/** 'YYYY-MM-DD' of a day number. */
export function formatDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

/** The UTC day on which an instant falls. */
export function utcDayOf(instant: Date): number {
  return Math.floor(instant.getTime() / DAY_MS)
}

/** The last day of a month, given its index. */
export function lastDayOfMonth(index: number): number {
  return LAST_DAY_CACHE[index - 1970 * 12] ?? computeLastDay(index)
}

function computeLastDay(index: number): number {
  return Date.UTC(1970, index - 1970 * 12 + 1, 0) / DAY_MS
}

const DAY_MS = 86_400_000

/** From 1970 to 2099: the chart of a large portfolio asks for ends of months a hundred thousand times. */
const LAST_DAY_CACHE = Int32Array.from({ length: 130 * 12 }, (_, index) => computeLastDay(1970 * 12 + index))
