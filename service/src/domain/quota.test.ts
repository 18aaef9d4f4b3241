import { describe, expect, test } from 'vitest'
import { remainingAfter, secondsUntil } from './quota.ts'

describe('remaining', () => {
  test('runs down by one without gaps when calls are charged together', () => {
    const calls = [0, 1, 2, 3].map((place) => remainingAfter(1000, 14, 1, 4, place))
    expect(calls).toEqual([989, 988, 987, 986])
  })
  test('runs down by the price of a batch', () => {
    expect([0, 1].map((place) => remainingAfter(1000, 150, 50, 2, place))).toEqual([900, 850])
  })
  test('is never negative, even after a smaller plan', () => {
    expect(remainingAfter(100, 600, 1, 1, 0)).toBe(0)
  })
})

describe('Retry-After', () => {
  const midnight = new Date('2026-03-02T00:00:00Z')
  test.each([
    ['2026-03-01T00:00:00.000Z', 86_400],
    ['2026-03-01T23:59:58.001Z', 2],
    ['2026-03-01T23:59:59.999Z', 1],
    ['2026-03-02T00:00:00.000Z', 1],
    ['2026-02-27T00:00:00.000Z', 86_400],
  ])('at %s is %i', (now, seconds) => {
    expect(secondsUntil(midnight, new Date(now))).toBe(seconds)
  })
})
