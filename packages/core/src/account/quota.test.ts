import { describe, expect, test } from 'vitest'
import { remainingAfterRequest, projectExhaustion, retryAfterSeconds } from './quota.ts'

describe('remainingAfterRequest', () => {
  test('decreases by one without gaps for requests charged together', () => {
    const calls = [0, 1, 2, 3].map((index) => remainingAfterRequest(1000, 14, 1, 4, index))
    expect(calls).toEqual([989, 988, 987, 986])
  })
  test('decreases by the cost of each batch', () => {
    expect([0, 1].map((index) => remainingAfterRequest(1000, 150, 50, 2, index))).toEqual([900, 850])
  })
  test('is never negative, even after a downgrade to a smaller plan', () => {
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
  ])('at %s is %i seconds', (now, seconds) => {
    expect(retryAfterSeconds(midnight, new Date(now))).toBe(seconds)
  })
})

describe('projectExhaustion', () => {
  const reset = new Date('2026-03-02T00:00:00Z')
  test.each([
    ['nothing used: lasts until the reset', 0, '12:00', undefined],
    ['half of the quota used at half of the day: just lasts', 500, '12:00', undefined],
    ['600 of 1,000 used at half of the day: exhausted after 20 hours', 600, '12:00', '2026-03-01T20:00:00.000Z'],
    ['the full quota used: exhausted now', 1000, '09:30', '2026-03-01T09:30:00.000Z'],
    ['more used than a smaller plan allows: exhausted now', 1500, '09:30', '2026-03-01T09:30:00.000Z'],
    ['usage at the first instant of the day: exhausted now', 1, '00:00', '2026-03-01T00:00:00.000Z'],
  ])('%s', (_, used, time, expected) => {
    const out = projectExhaustion(used, 1000, new Date(`2026-03-01T${time}:00Z`), reset)
    expect(out?.toISOString()).toBe(expected)
  })
})
