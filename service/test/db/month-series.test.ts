import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openDatabase, openPool, type Database } from '../../src/db/database.ts'
import { MonthSeries } from '../../src/db/month-series.ts'
import { findMonthSeries, findMonthSeriesSince } from '../../src/db/read/set.ts'
import { dayNumber } from '../../src/domain/month.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { addMonth, addSet } from '../support/fixtures.ts'

let database: TestDatabase
let db: Database

beforeAll(async () => {
  database = await createDatabase(inject('serverUrl'))
  db = openDatabase(openPool(database.url, { size: 2 }))
  for (const set_number of ['1-1', '2-1', '3-1']) await addSet(db, { set_number })
  for (const [month, value_usd] of [
    ['2025-01-01', '10.00'],
    ['2025-02-01', null],
    ['2025-03-01', '12.00'],
    ['2025-04-01', '13.00'],
  ] as const) {
    await addMonth(db, { set_number: '1-1', month, value_usd })
    await addMonth(db, { set_number: '1-1', condition: 'used', month, value_usd })
  }
  await addMonth(db, { set_number: '2-1', month: '2025-04-01' })
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

type Rows = Awaited<ReturnType<typeof findMonthSeries>>

function pointsIn(rows: Rows, since: string) {
  const series = MonthSeries.unpack(rows.map(({ packed }) => packed))
  return rows
    .map((row, place) => [row.set_number, row.condition, series[place]!.valuePoints(dayNumber(since))])
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
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
])('since %s: the same points as from all months, of fewer months', async (since) => {
  const numbers = ['1-1', '2-1', '3-1']
  const [all, some] = [await findMonthSeries(db, numbers), await findMonthSeriesSince(db, numbers, since)]
  expect(pointsIn(some, since)).toEqual(pointsIn(all, since))
})

test('a day late in the year needs no month of its beginning', async () => {
  const rows = await findMonthSeriesSince(db, ['1-1'], '2025-04-30')
  expect(rows.map(({ packed }) => packed.length)).toEqual([24, 24])
})
