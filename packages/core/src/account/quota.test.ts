import { describe, expect, test } from 'vitest'
import { remainingAfterRequest, projectExhaustion, retryAfterSeconds } from './quota.ts'

describe('remaining', () => {
  test('runs down by one without gaps when calls are charged together', () => {
    const calls = [0, 1, 2, 3].map((index) => remainingAfterRequest(1000, 14, 1, 4, index))
    expect(calls).toEqual([989, 988, 987, 986])
  })
  test('runs down by the price of a batch', () => {
    expect([0, 1].map((index) => remainingAfterRequest(1000, 150, 50, 2, index))).toEqual([900, 850])
  })
  test('is never negative, even after a smaller plan', () => {
    expect(remainingAfterRequest(100, 600, 1, 1, 0)).toBe(0)
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
    expect(retryAfterSeconds(midnight, new Date(now))).toBe(seconds)
  })
})

describe('at this pace', () => {
  const reset = new Date('2026-03-02T00:00:00Z')
  test.each([
    ['nothing used: it lasts', 0, '12:00', undefined],
    ['half the day, half the units: it just lasts', 500, '12:00', undefined],
    ['half the day, 600 of 1,000: out after 20 hours', 600, '12:00', '2026-03-01T20:00:00.000Z'],
    ['all of it used: out already', 1000, '09:30', '2026-03-01T09:30:00.000Z'],
    ['more than a smaller plan has: out already', 1500, '09:30', '2026-03-01T09:30:00.000Z'],
    ['the first instant of the day', 1, '00:00', '2026-03-01T00:00:00.000Z'],
  ])('%s', (_, used, time, expected) => {
    const out = projectExhaustion(used, 1000, new Date(`2026-03-01T${time}:00Z`), reset)
    expect(out?.toISOString()).toBe(expected)
  })
})
