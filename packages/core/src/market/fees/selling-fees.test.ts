import { describe, expect, test } from 'vitest'
import { calculateFee, feesInForce, type SellingFeeSchedule } from './selling-fees.ts'

const flatSchedule: SellingFeeSchedule = {
  platform: 'ebay',
  validFrom: '2023-02-15',
  source: 'synthetic',
  shares: [{ upTo: null, basisPoints: 1325 }],
  minimum: 0,
  fixed: [{ upTo: null, cents: 30 }],
}
const laterSchedule: SellingFeeSchedule = {
  ...flatSchedule,
  validFrom: '2024-03-15',
  fixed: [
    { upTo: 1000, cents: 30 },
    { upTo: null, cents: 40 },
  ],
}
const steppedSchedule: SellingFeeSchedule = {
  platform: 'bricklink',
  validFrom: '2020-01-01',
  source: 'synthetic',
  shares: [
    { upTo: 50_000, basisPoints: 300 },
    { upTo: 100_000, basisPoints: 200 },
    { upTo: null, basisPoints: 100 },
  ],
  minimum: 0,
  fixed: [],
}

describe('feesInForce', () => {
  test.each([
    ['returns undefined before the first schedule', '2023-02-14', undefined],
    ['returns a schedule on its first day', '2023-02-15', flatSchedule],
    ['returns a schedule until the day before the next', '2024-03-14', flatSchedule],
    ['returns the next schedule on its first day', '2024-03-15', laterSchedule],
    ['returns the last schedule indefinitely', '2031-01-01', laterSchedule],
  ])('%s', (_, day, fees) => {
    expect(feesInForce([laterSchedule, steppedSchedule, flatSchedule], 'ebay', day)).toBe(fees)
  })

  test('returns undefined for another platform', () => {
    expect(feesInForce([flatSchedule], 'whatnot', '2025-01-01')).toBeUndefined()
  })
})

describe('calculateFee', () => {
  test.each([
    ['adds a share and a fixed fee', flatSchedule, 10_000, 1355],
    ['charges the lower fixed fee up to its bound', laterSchedule, 1000, 133 + 30],
    ['charges the higher fixed fee one cent above the bound', laterSchedule, 1001, 133 + 40],
    ['rounds half a cent up', laterSchedule, 200, 27 + 30],
    ['charges nothing on an amount of 0', laterSchedule, 0, 0],
    ['applies the first rate up to its bound', steppedSchedule, 50_000, 1500],
    ['applies the second rate to the amount above it', steppedSchedule, 75_000, 1500 + 500],
    ['applies the third rate to the rest', steppedSchedule, 150_000, 1500 + 1000 + 500],
    ['charges at least the minimum', { ...flatSchedule, minimum: 30, fixed: [] }, 100, 30],
  ])('%s', (_, fees, gross, fee) => {
    expect(calculateFee(fees, gross)).toBe(fee)
  })
})
