import { describe, expect, test } from 'vitest'
import { changedSince, changedWithinCutoff, discountPercent, lowestInDays, MIN_LOW_DAYS } from './retail-price.ts'

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

describe('lowestInDays', () => {
  const today = 20_000
  const low = { price: 1000, listPrice: 1500, value: 2000, trackedSince: today - 200 }
  test.each([
    ['is the length of its history', {}, 200],
    ['needs 90 days of history', { trackedSince: today - MIN_LOW_DAYS }, MIN_LOW_DAYS],
    ['isn’t mentioned with less', { trackedSince: today - MIN_LOW_DAYS + 1 }, null],
    ['isn’t mentioned if its history is unknown', { trackedSince: null }, null],
    ['may equal list price and value', { price: 2000, listPrice: 2000 }, 200],
    ['isn’t mentioned above list price', { price: 1501 }, null],
    ['isn’t mentioned above value', { price: 2001, listPrice: null }, null],
    ['doesn’t need either to be known', { listPrice: null, value: null }, 200],
  ])('a low %s', (_, facts, days) => {
    expect(lowestInDays({ ...low, ...facts }, today)).toBe(days)
  })
})
