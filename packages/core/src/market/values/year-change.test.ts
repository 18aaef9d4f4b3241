import { expect, test } from 'vitest'
import { dayNumber } from '../../primitives/calendar.ts'
import { yearChange } from './year-change.ts'

const points = (...known: [date: string, value: number][]) =>
  known.map(([date, value]) => ({ day: dayNumber(date), value }))
const today = dayNumber('2026-11-18')

test('compares with the same date a year ago, on the line between two month ends', () => {
  // Nov 18 is 18 of 30 days on the way from $100 to $110: $106.
  const known = points(['2025-10-31', 10_000], ['2025-11-30', 11_000], ['2026-10-31', 12_000], ['2026-11-18', 12_720])
  expect(yearChange(known, today)).toEqual({ ratio: 2120 / 10_600, months: null })
})

test('compares Feb 29 with Feb 28', () => {
  const known = points(['2027-02-28', 10_000], ['2027-03-31', 20_000], ['2028-02-29', 15_000])
  expect(yearChange(known, dayNumber('2028-02-29'))).toEqual({ ratio: 0.5, months: null })
})

test.each([
  ['2025-11-19', 11],
  ['2026-09-30', 1],
  ['2026-09-18', 2],
  ['2026-10-31', 0],
])('history since %s is %i months, too short for a change', (since, months) => {
  expect(yearChange(points([since, 10_000], ['2026-11-18', 12_000]), today)).toEqual({ ratio: null, months })
})

test('history of exactly a year is enough', () => {
  expect(yearChange(points(['2025-11-18', 10_000], ['2026-11-18', 9000]), today)?.ratio).toBeCloseTo(-0.1, 12)
})

test('is unknown without a value of today', () => {
  expect(yearChange([], today)).toBeNull()
  expect(yearChange(points(['2025-10-31', 10_000]), today)).toBeNull()
})
