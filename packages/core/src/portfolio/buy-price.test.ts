import fc from 'fast-check'
import { expect, test } from 'vitest'
import { evaluateDeal, maxBuyPrice, netProceeds } from './buy-price.ts'

test('by hand: $112.40 at 13.25 % and $0.40, shipping $9, leaves $88.11; for 30 % pay at most $67.77', () => {
  // 112.40 × 13.25 % = 14.893 → 14.89; 112.40 − 14.89 − 0.40 − 9.00 = 88.11; 88.11 ÷ 1.3 = 67.776…
  const net = netProceeds(11_240, { feeBasisPoints: 1325, fixedFee: 40, shipping: 900 })
  expect(net).toBe(8811)
  expect(maxBuyPrice(net, 30)).toBe(6777)
  expect(evaluateDeal(6777, net)).toEqual({ profit: 2034, roiPct: 30.01 })
})

test.each([
  ['exactly 30 %', 13_000, 30, 10_000],
  ['no return wanted', 5_000, 0, 5_000],
  ['a loss accepted', 5_000, -50, 10_000],
  ['fees eat it all', 0, 30, null],
  ['fees eat more than that', -200, 30, null],
  ['less than a cent', 1, 500, null],
])('%s', (_, net, roi, most) => {
  expect(maxBuyPrice(net, roi)).toBe(most)
})

test('a cent more would be too much', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000_000 }), fc.integer({ min: 0, max: 50_000 }), (net, basis) => {
      const most = maxBuyPrice(net, basis / 100) ?? 0
      const enough = (price: number) => (net - price) * 10_000 >= price * basis
      expect(enough(most)).toBe(true)
      expect(enough(most + 1)).toBe(false)
    }),
  )
})

test('a gift has a profit and no percentage', () => {
  expect(evaluateDeal(0, 500)).toEqual({ profit: 500, roiPct: null })
})
