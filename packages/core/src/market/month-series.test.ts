import { expect, test } from 'vitest'
import { dayNumber, monthIndex } from '../primitives/calendar.ts'
import { MonthSeries } from './month-series.ts'

const UNKNOWN = -1

/** Packs monthly values in cents the way the database does. */
function packed(values: Record<string, number>): Buffer {
  const fields = Object.entries(values).flatMap(([month, value]) => [monthIndex(month), value, -1, -1, -1, -1])
  const bytes = Buffer.alloc(fields.length * 4)
  for (const [index, field] of fields.entries()) bytes.writeInt32BE(field, index * 4)
  return bytes
}

/** Unpacked together with others, as in production. */
const [before, series, after] = MonthSeries.unpack([
  packed({ '2024-12': 1 }),
  packed({ '2025-01': 100, '2025-02': 110, '2025-03': UNKNOWN, '2025-04': 130, '2025-05': 140 }),
  packed({ '2025-06': 2 }),
]) as [MonthSeries, MonthSeries, MonthSeries]

test.each([
  ['a day between two month ends: the last known value before it and all after', '2025-04-10', [110, 130, 140]],
  ['the last day of a month', '2025-04-30', [130, 140]],
  ['a day before the first month', '2020-01-01', [100, 110, 130, 140]],
  ['a day after the last month: the last value', '2026-01-01', [140]],
])('value points since %s', (_, since, values) => {
  expect(series.valuePoints(dayNumber(since)).map((point) => point.value)).toEqual(values)
})

test('dates a value on the last day of its month', () => {
  expect(series.valuePoints(dayNumber('2025-05-31'))).toEqual([{ day: dayNumber('2025-05-31'), value: 140 }])
})

test('series unpacked together do not overlap', () => {
  expect([before, series, after].map((each) => each.months().map(({ value }) => value))).toEqual([
    [1],
    [100, 110, null, 130, 140],
    [2],
  ])
})

test('reuses an equal series and keeps a different one', () => {
  const [same, other, shorter] = MonthSeries.unpack([
    packed({ '2024-12': 1 }),
    packed({ '2024-12': 2 }),
    Buffer.alloc(0),
  ]) as [MonthSeries, MonthSeries, MonthSeries]
  expect(same.reuseIfEqual(before)).toBe(before)
  expect(other.reuseIfEqual(before)).toBe(other)
  expect(shorter.reuseIfEqual(before)).toBe(shorter)
})
