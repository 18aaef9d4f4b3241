import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openDatabase, openPool, type Database } from '@brickmark/core/db/database'
import { MonthSeries } from '../../src/market/values/month-series.ts'
import { findMonthSeries, findValuePoints } from '../../src/market/values/set-month-queries.ts'
import { drawPoints, ValueLine } from '../../src/market/values/value-line.ts'
import { dayNumber } from '@brickmark/core/primitives/calendar'
import { CONDITIONS } from '@brickmark/core/catalog/condition'
import { createDatabase, type TestDatabase } from '@brickmark/tests/support/database'
import { addMonth, addSet } from '@brickmark/tests/support/fixtures'

let database: TestDatabase
let db: Database

beforeAll(async () => {
  database = await createDatabase(inject('serverUrl'))
  db = openDatabase(openPool(database.url, { size: 2 }))
  for (const set_number of ['1-1', '2-1', '3-1']) await addSet(db, { set_number })
  for (const [month, value_cents] of [
    ['2025-01-01', 1000],
    ['2025-02-01', null],
    ['2025-03-01', 1200],
    ['2025-04-01', 1300],
  ] as const) {
    await addMonth(db, { set_number: '1-1', month, value_cents })
    await addMonth(db, { set_number: '1-1', condition: 'used', month, value_cents })
  }
  await addMonth(db, { set_number: '2-1', month: '2025-04-01' })
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

const keys = ['1-1', '2-1', '3-1'].flatMap((setNumber) => CONDITIONS.map((condition) => ({ setNumber, condition })))

/** Returns the values on these days, the last of which has one of its own. */
function valuesOn(days: number[], draw: (line: ValueLine) => void): number[] {
  const line = new ValueLine(days)
  line.start()
  draw(line)
  line.lineTo(days.at(-1)!, 9000)
  return [...line.values]
}

test.each([
  '2024-12-31',
  '2025-01-30',
  '2025-01-31',
  '2025-02-28',
  '2025-03-15',
  '2025-03-31',
  '2025-04-30',
  '2026-01-01',
])('since %s: findValuePoints gives the same values as the full series', async (since) => {
  const first = dayNumber(since)
  const days = Array.from({ length: 500 }, (_, index) => first + index)
  const rows = await findMonthSeries(db, ['1-1', '2-1', '3-1'])
  const series = MonthSeries.unpack(rows.map(({ packed }) => packed))
  const points = await findValuePoints(db, keys, since)
  expect([...points.keys()].sort()).toEqual(rows.map((row) => `${row.condition} ${row.set_number}`).sort())
  for (const list of points.values()) expect(list.filter(({ day }) => day <= first).length).toBeLessThanOrEqual(1)
  for (const [index, { condition, set_number }] of rows.entries()) {
    expect(valuesOn(days, (line) => drawPoints(line, points.get(`${condition} ${set_number}`) ?? []))).toEqual(
      valuesOn(days, (line) => series[index]!.draw(line, Infinity)),
    )
  }
})
