import { expect, test } from 'vitest'
import { saleResult, totalsResult } from './sale.ts'

test('net proceeds are gross minus fees and shipping', () => {
  const sale = { gross: 10_000, platformFees: 1325, paymentFees: 40, shipping: 900, cost: 5000 }
  expect(saleResult(sale)).toEqual({ net: 7735, profit: 2735, roiPct: 54.7 })
})

test('a sale below cost has a negative profit and ROI', () => {
  const sale = { gross: 3000, platformFees: 0, paymentFees: 0, shipping: 0, cost: 4000 }
  expect(saleResult(sale)).toEqual({ net: 3000, profit: -1000, roiPct: -25 })
})

test('a sale of unknown cost has no profit or ROI', () => {
  const sale = { gross: 3000, platformFees: 100, paymentFees: 0, shipping: 0, cost: null }
  expect(saleResult(sale)).toEqual({ net: 2900, profit: null, roiPct: null })
})

test('a sale of units that cost nothing has a profit but no ROI', () => {
  const sale = { gross: 3000, platformFees: 0, paymentFees: 0, shipping: 0, cost: 0 }
  expect(saleResult(sale)).toEqual({ net: 3000, profit: 3000, roiPct: null })
})

test('totals include sales of unknown cost in the net, but not in the profit', () => {
  const sums = {
    sales: 3,
    units: 4,
    gross: 30_000,
    fees: 3000,
    shipping: 1000,
    cost: 8000,
    netWithKnownCost: 18_000,
    unknownCostCount: 1,
  }
  expect(totalsResult(sums)).toEqual({ net: 26_000, profit: 10_000, roiPct: 125 })
  expect(totalsResult({ ...sums, cost: 0, netWithKnownCost: 0, unknownCostCount: 3 })).toEqual({
    net: 26_000,
    profit: null,
    roiPct: null,
  })
})
