import { expect, test } from 'vitest'
import { dayNumber, monthIndex } from '../../primitives/calendar.ts'
import { MonthSeries } from './month-series.ts'
import { ValueLine } from './value-line.ts'

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

/** Draws the series on these days, up to but excluding `until`. */
function valuesOn(dates: string[], until = '2025-06-30') {
  const line = new ValueLine(dates.map(dayNumber))
  line.start()
  series.draw(line, dayNumber(until))
  return [...line.values]
}

test.each([
  ['the last day of a month, known and unknown', ['2025-02-28', '2025-03-31', '2025-05-31'], [110, 120, 140]],
  ['between two month ends', ['2025-04-10', '2025-05-15'], [123, 135]],
  ['before the first month and in it', ['2020-01-01', '2025-01-30', '2025-01-31'], [NaN, NaN, 100]],
  ['after the last month', ['2025-06-01', '2026-01-01'], [NaN, NaN]],
])('draws the value on days %s', (_, dates, values) => {
  expect(valuesOn(dates)).toEqual(values)
})

test('stops before a day', () => {
  expect(valuesOn(['2025-04-30', '2025-05-31'], '2025-05-31')).toEqual([130, NaN])
})

test('continues from the last value before the first day to a value of today', () => {
  const line = new ValueLine(['2025-06-10', '2025-06-20'].map(dayNumber))
  line.start()
  series.draw(line, dayNumber('2025-06-20'))
  line.lineTo(dayNumber('2025-06-20'), 180)
  expect([...line.values]).toEqual([160, 180])
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
