import fc from 'fast-check'
import { expect, test } from 'vitest'
import { evaluateDeal, maxBuyPrice, netProceeds } from './buy-price.ts'

test('example: $112.40 less 13.25 % + $0.40 fees and $9 shipping nets $88.11; for 30 % pay at most $67.77', () => {
  // 112.40 × 13.25 % = 14.893 → 14.89; 112.40 − 14.89 − 0.40 − 9.00 = 88.11; 88.11 ÷ 1.3 = 67.776…
  const net = netProceeds(11_240, { feeBasisPoints: 1325, fixedFee: 40, shipping: 900 })
  expect(net).toBe(8811)
  expect(maxBuyPrice(net, 30)).toBe(6777)
  expect(evaluateDeal(6777, net)).toEqual({ profit: 2034, roiPct: 30.01 })
})

test.each([
  ['a target return of exactly 30 %', 13_000, 30, 10_000],
  ['a target return of 0 %', 5_000, 0, 5_000],
  ['a negative target return', 5_000, -50, 10_000],
  ['no net proceeds', 0, 30, null],
  ['negative net proceeds', -200, 30, null],
  ['a maximum below one cent', 1, 500, null],
])('%s', (_, net, roi, most) => {
  expect(maxBuyPrice(net, roi)).toBe(most)
})

test('returns the highest price that reaches the target return', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000_000 }), fc.integer({ min: 0, max: 50_000 }), (net, basis) => {
      const most = maxBuyPrice(net, basis / 100) ?? 0
      const enough = (price: number) => (net - price) * 10_000 >= price * basis
      expect(enough(most)).toBe(true)
      expect(enough(most + 1)).toBe(false)
    }),
  )
})

test('a free item has a profit but no ROI percentage', () => {
  expect(evaluateDeal(0, 500)).toEqual({ profit: 500, roiPct: null })
})
