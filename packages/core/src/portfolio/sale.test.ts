import { expect, test } from 'vitest'
import { addSaleTotals, saleResult, totalsResult } from './sale.ts'

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

test('addSaleTotals adds up every field, so that months foot with their year', () => {
  const month = (n: number) => ({
    sales: n,
    units: 2 * n,
    gross: 3 * n,
    fees: 4 * n,
    shipping: 5 * n,
    cost: 6 * n,
    salesWithoutCost: 7 * n,
    netWithoutCost: 8 * n,
  })
  expect(addSaleTotals([month(1), month(10)])).toEqual(month(11))
  expect(addSaleTotals([])).toEqual(month(0))
})

test('totals include sales of unknown cost in the net, but not in the profit', () => {
  const sums = {
    sales: 3,
    units: 4,
    gross: 30_000,
    fees: 3000,
    shipping: 1000,
    cost: 8000,
    salesWithoutCost: 1,
    netWithoutCost: 8000,
  }
  expect(totalsResult(sums)).toEqual({ net: 26_000, profit: 10_000, roiPct: 125 })
  expect(totalsResult({ ...sums, cost: 0, salesWithoutCost: 3, netWithoutCost: 26_000 })).toEqual({
    net: 26_000,
    profit: null,
    roiPct: null,
  })
})
