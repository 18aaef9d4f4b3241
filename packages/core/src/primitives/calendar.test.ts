import { describe, expect, test } from 'vitest'
import { dayNumber, utcDayOf, formatDay, lastDayOfMonth, monthIndex, formatMonth, yearBefore } from './calendar.ts'

describe('months and days', () => {
  test('month arithmetic crosses the year boundary', () => {
    expect(formatMonth(monthIndex('2025-12') + 1)).toBe('2026-01')
    expect(formatMonth(monthIndex('2026-01-31') - 1)).toBe('2025-12')
  })

  test('pads a three-digit year to four digits', () => {
    expect(formatMonth(monthIndex('0987-05'))).toBe('0987-05')
  })

  test('dayNumber ignores the time of day', () => {
    expect(dayNumber('2026-03-01T23:59:59Z')).toBe(dayNumber('2026-03-01'))
  })

  test('formatDay reverses dayNumber', () => {
    for (const date of ['1970-01-01', '2024-02-29', '2026-12-31']) expect(formatDay(dayNumber(date))).toBe(date)
  })

  test.each([
    ['2024-02', '2024-02-29'],
    ['2026-02', '2026-02-28'],
    ['2026-12', '2026-12-31'],
    ['1969-12', '1969-12-31'],
    ['1970-01', '1970-01-31'],
    ['2099-12', '2099-12-31'],
    ['2100-02', '2100-02-28'],
  ])('the last day of %s is %s', (month, day) => {
    expect(formatDay(lastDayOfMonth(monthIndex(month)))).toBe(day)
  })

  test.each([
    ['2026-11-18', '2025-11-18'],
    ['2028-02-29', '2027-02-28'],
    ['2029-02-28', '2028-02-28'],
    ['2028-03-01', '2027-03-01'],
    ['2026-01-31', '2025-01-31'],
    ['2025-02-28', '2024-02-28'],
  ])('a year before %s is %s', (date, before) => {
    expect(formatDay(yearBefore(dayNumber(date)))).toBe(before)
  })

  test('utcDayOf changes at midnight UTC', () => {
    expect(formatDay(utcDayOf(new Date('2026-03-01T23:59:59.999Z')))).toBe('2026-03-01')
    expect(formatDay(utcDayOf(new Date('2026-03-02T00:00:00.000Z')))).toBe('2026-03-02')
  })
})
