import { expect, test } from 'vitest'
import { dayNumber, monthIndex } from '../domain/month.ts'
import { MonthSeries } from './month-series.ts'

const UNKNOWN = -1

/** A series of values in cents by month. */
function seriesOf(values: Record<string, number>): MonthSeries {
  const fields = Object.entries(values).flatMap(([month, value]) => [monthIndex(month), value, -1, -1, -1, -1])
  const bytes = Buffer.alloc(fields.length * 4)
  for (const [place, field] of fields.entries()) bytes.writeInt32BE(field, place * 4)
  return MonthSeries.unpack(bytes)
}

const series = seriesOf({ '2025-01': 100, '2025-02': 110, '2025-03': UNKNOWN, '2025-04': 130, '2025-05': 140 })

test.each([
  ['a day between two ends: the known end before it and all after', '2025-04-10', [110, 130, 140]],
  ['the very end of a month', '2025-04-30', [130, 140]],
  ['before everything', '2020-01-01', [100, 110, 130, 140]],
  ['after everything: the last is still known', '2026-01-01', [140]],
])('value points since %s', (_, since, values) => {
  expect(series.valuePoints(dayNumber(since)).map((point) => point.value)).toEqual(values)
})

test('a value is that of the last day of its month', () => {
  expect(series.valuePoints(dayNumber('2025-05-31'))).toEqual([{ day: dayNumber('2025-05-31'), value: 140 }])
})
