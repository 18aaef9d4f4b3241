import { describe, expect, test } from 'vitest'
import { changedSince, changedWithinCutoff, discountPercent } from './retail-price.ts'

describe('discountPercent', () => {
  test.each([
    [2000, 2500, 20],
    [2500, 2500, 0],
    [3000, 2500, -20],
    [1999, 2999, 33.34],
    [null, 2500, null],
    [2000, null, null],
  ])('price %s at list price %s is a discount of %s percent', (price, list, expected) => {
    expect(discountPercent(price, list)).toBe(expected)
  })
})

describe('changed_within', () => {
  const now = new Date('2026-03-10T12:00:00Z')
  test.each([
    ['30m', '2026-03-10T11:30:00.000Z'],
    ['3h', '2026-03-10T09:00:00.000Z'],
    ['24h', '2026-03-09T12:00:00.000Z'],
    ['7d', '2026-03-03T12:00:00.000Z'],
    ['0m', '2026-03-10T12:00:00.000Z'],
    [`${'9'.repeat(400)}d`, '1970-01-01T00:00:00.000Z'],
    ['99999999999999999999m', '1970-01-01T00:00:00.000Z'],
  ])('%.10s reaches back to %s', (window, cutoff) => {
    expect(changedWithinCutoff(window, now).toISOString()).toBe(cutoff)
  })

  test('includes the cutoff itself and excludes a price that never changed', () => {
    expect(changedSince(now, now)).toBe(true)
    expect(changedSince(new Date(now.getTime() - 1), now)).toBe(false)
    expect(changedSince(null, new Date(0))).toBe(false)
  })
})
