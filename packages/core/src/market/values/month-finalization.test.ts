import { describe, expect, test } from 'vitest'
import { dayNumber, monthIndex, formatMonth } from '../../primitives/calendar.ts'
import { setEventIn, isThin, knowledgeCutoff, latestFinalizableMonth } from './month-finalization.ts'

describe('finalization date', () => {
  test.each([
    ['2026-11-07', '2026-09'],
    ['2026-11-08', '2026-10'],
    ['2026-11-30', '2026-10'],
    ['2027-01-07', '2026-11'],
    ['2027-01-08', '2026-12'],
  ])('on %s the latest finalizable month is %s', (today, month) => {
    expect(formatMonth(latestFinalizableMonth(today))).toBe(month)
  })

  test('uses data known by the 7th of the next month', () => {
    expect(knowledgeCutoff(monthIndex('2026-10'))).toBe(dayNumber('2026-11-07'))
    expect(knowledgeCutoff(monthIndex('2026-02'))).toBe(dayNumber('2026-03-07'))
  })
})

test.each([
  [3, 2, false],
  [2, 2, true],
  [9, 1, true],
])('isThin for %i sales by %i sellers', (sales, sellers, thin) => {
  expect(isThin({ sales, sellers })).toBe(thin)
})

describe('event of a month', () => {
  const dates = { releaseDate: '2024-03-10', retireDate: '2026-06-30' }
  const none = new Set<never>()
  test.each([
    ['2024-03', 'released'],
    ['2024-04', null],
    ['2025-12', null],
    ['2026-01', 'retiring_soon'],
    ['2026-06', 'retired'],
    ['2026-07', null],
  ])('%s: %s', (month, event) => {
    expect(setEventIn(monthIndex(month), dates, none)).toBe(event)
  })

  test('publishes retiring_soon from 180 days before retirement', () => {
    const released = { releaseDate: '2024-03-10' }
    expect(setEventIn(monthIndex('2026-01'), { ...released, retireDate: '2026-07-30' }, none)).toBe('retiring_soon')
    expect(setEventIn(monthIndex('2026-01'), { ...released, retireDate: '2026-07-31' }, none)).toBeNull()
  })

  test('does not publish retiring_soon before the release', () => {
    const brief = { releaseDate: '2026-03-01', retireDate: '2026-06-30' }
    expect(setEventIn(monthIndex('2026-02'), brief, none)).toBeNull()
    expect(setEventIn(monthIndex('2026-04'), brief, none)).toBe('retiring_soon')
  })

  test('publishes retiring_soon only once', () => {
    expect(setEventIn(monthIndex('2026-02'), dates, new Set(['retiring_soon' as const]))).toBeNull()
  })

  test('publishes rereleased once for a retired set without a retire date', () => {
    const rereleased = { releaseDate: '2020-01-01', retireDate: null }
    expect(setEventIn(monthIndex('2026-02'), rereleased, new Set(['released' as const, 'retired' as const]))).toBe(
      'rereleased',
    )
    expect(
      setEventIn(monthIndex('2026-03'), rereleased, new Set(['retired' as const, 'rereleased' as const])),
    ).toBeNull()
  })

  test('has no events for a set without dates', () => {
    expect(setEventIn(monthIndex('2026-02'), { releaseDate: null, retireDate: null }, none)).toBeNull()
  })
})
