import type { Database } from '../../db/database.ts'
import { formatDay, yearBefore } from '../../primitives/calendar.ts'
import { findValuePoints } from './set-month-queries.ts'
import { appendTodayValue } from './value-line.ts'
import { yearChange, type YearChange } from './year-change.ts'

/** Returns how the values of sealed sets, which are those of today, changed in one year. */
export async function findYearChanges(
  db: Database,
  values: Map<string, number>,
  today: number,
): Promise<Map<string, YearChange | null>> {
  const keys = [...values.keys()].map((setNumber) => ({ setNumber, condition: 'sealed' as const }))
  const points = await findValuePoints(db, keys, formatDay(yearBefore(today)))
  return new Map(
    Array.from(values, ([setNumber, value]) => [
      setNumber,
      yearChange(appendTodayValue(points.get(`sealed ${setNumber}`) ?? [], value, today), today),
    ]),
  )
}
