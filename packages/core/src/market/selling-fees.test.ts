import { describe, expect, test } from 'vitest'
import { calculateFee, feesInForce, type SellingFeeSchedule } from './selling-fees.ts'

const flat: SellingFeeSchedule = {
  platform: 'ebay',
  validFrom: '2023-02-15',
  source: 'invented',
  shares: [{ upTo: null, basisPoints: 1325 }],
  minimum: 0,
  fixed: [{ upTo: null, cents: 30 }],
}
const later: SellingFeeSchedule = {
  ...flat,
  validFrom: '2024-03-15',
  fixed: [
    { upTo: 1000, cents: 30 },
    { upTo: null, cents: 40 },
  ],
}
const steps: SellingFeeSchedule = {
  platform: 'bricklink',
  validFrom: '2020-01-01',
  source: 'invented',
  shares: [
    { upTo: 50_000, basisPoints: 300 },
    { upTo: 100_000, basisPoints: 200 },
    { upTo: null, basisPoints: 100 },
  ],
  minimum: 0,
  fixed: [],
}

describe('which fees hold', () => {
  test.each([
    ['before the first nothing is known', '2023-02-14', undefined],
    ['from their first day', '2023-02-15', flat],
    ['until the day before the next', '2024-03-14', flat],
    ['the next from its first day', '2024-03-15', later],
    ['the last for good', '2031-01-01', later],
  ])('%s', (_, day, fees) => {
    expect(feesInForce([later, steps, flat], 'ebay', day)).toBe(fees)
  })

  test('of another platform they say nothing', () => {
    expect(feesInForce([flat], 'whatnot', '2025-01-01')).toBeUndefined()
  })
})

describe('what they keep', () => {
  test.each([
    ['a share and a fixed part', flat, 10_000, 1355],
    ['the lower fixed part up to its bound', later, 1000, 133 + 30],
    ['the higher one a cent above', later, 1001, 133 + 40],
    ['half a cent is rounded up', later, 200, 27 + 30],
    ['of nothing, nothing', later, 0, 0],
    ['the first step to its end', steps, 50_000, 1500],
    ['the second on what is above', steps, 75_000, 1500 + 500],
    ['the third on the rest', steps, 150_000, 1500 + 1000 + 500],
    ['at least the minimum', { ...flat, minimum: 30, fixed: [] }, 100, 30],
  ])('%s', (_, fees, gross, fee) => {
    expect(calculateFee(fees, gross)).toBe(fee)
  })
})
