import type { MarketSale } from './usable-sales.ts'

const SELLER_WINDOW_DAYS = 60
/** Maximum weight of one seller in 60 days: this many sales, or 15 % of all weight if that is more. */
const MAX_SELLER_SALES = 2
const MAX_SELLER_SHARE = 0.15
const MAX_SELLER_RATIO = MAX_SELLER_SHARE / (1 - MAX_SELLER_SHARE)

/**
 * Returns the weight (0 to 1) of each sale, oldest first. Down-weights repeated sales by the same seller, so that no
 * single seller can set the price, however many sales they report. Sales by unknown sellers have full weight.
 */
export function sellerWeights(sales: readonly MarketSale[]): Float64Array {
  const weights = new Float64Array(sales.length)
  const weightBySeller = new Map<string, number>()
  let total = 0
  let oldest = 0
  for (const [index, sale] of sales.entries()) {
    for (; sales[oldest]!.day < sale.day - SELLER_WINDOW_DAYS; oldest++) {
      const { seller } = sales[oldest]!
      total -= weights[oldest]!
      if (seller !== null) weightBySeller.set(seller, weightBySeller.get(seller)! - weights[oldest]!)
    }
    if (sale.seller === null) {
      weights[index] = 1
    } else {
      const own = weightBySeller.get(sale.seller) ?? 0
      const cap = Math.max(MAX_SELLER_SALES, MAX_SELLER_RATIO * (total - own))
      weights[index] = Math.max(0, Math.min(1, cap - own))
      weightBySeller.set(sale.seller, own + weights[index])
    }
    total += weights[index]
  }
  return weights
}
