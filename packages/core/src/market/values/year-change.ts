import { formatDay, monthIndex, yearBefore } from '../../primitives/calendar.ts'
import { interpolateValues, type ValuePoint } from './value-line.ts'

/**
 * The change of a value over one year as a ratio: 0.1 is 10 %. With less than a year of history the ratio is null, and
 * `months` says how many months of history there are.
 */
export type YearChange = { ratio: number; months: null } | { ratio: null; months: number }

/**
 * Compares the value of today, the last point, with the value on the same date a year ago, which lies on the line
 * between the known values around it. Null if the value of today is unknown.
 */
export function yearChange(points: ValuePoint[], today: number): YearChange | null {
  const first = points[0]
  const [before, now] = interpolateValues([yearBefore(today), today], points) as [number | null, number | null]
  if (first === undefined || now === null) return null
  return before === null
    ? { ratio: null, months: fullMonthsBetween(first.day, today) }
    : { ratio: (now - before) / before, months: null }
}

function fullMonthsBetween(first: number, last: number): number {
  const [from, to] = [formatDay(first), formatDay(last)]
  const months = monthIndex(to) - monthIndex(from)
  return to.slice(8) < from.slice(8) ? months - 1 : months
}
