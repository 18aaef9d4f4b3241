import { expect, test } from 'vitest'
import { saleResult } from './sale.ts'

test('fees and shipping come off the gross', () => {
  const sale = { gross: 10_000, platformFees: 1325, paymentFees: 40, shipping: 900, cost: 5000 }
  expect(saleResult(sale)).toEqual({ net: 7735, profit: 2735, roiPct: 54.7 })
})

test('a sale at a loss', () => {
  const sale = { gross: 3000, platformFees: 0, paymentFees: 0, shipping: 0, cost: 4000 }
  expect(saleResult(sale)).toEqual({ net: 3000, profit: -1000, roiPct: -25 })
})

test('of unknown cost there is no profit', () => {
  const sale = { gross: 3000, platformFees: 100, paymentFees: 0, shipping: 0, cost: null }
  expect(saleResult(sale)).toEqual({ net: 2900, profit: null, roiPct: null })
})

test('of a gift there is a profit but no return', () => {
  const sale = { gross: 3000, platformFees: 0, paymentFees: 0, shipping: 0, cost: 0 }
  expect(saleResult(sale)).toEqual({ net: 3000, profit: 3000, roiPct: null })
})
