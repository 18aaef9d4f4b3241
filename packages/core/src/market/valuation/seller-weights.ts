import type { MarketSale } from './usable-sales.ts'

const SELLER_WINDOW_DAYS = 60
/** Maximum weight of one seller in 60 days, in sales: this many, or this share of all sales if that is more. */
const MAX_SELLER_SALES = 2
const MAX_SELLER_SHARE = 0.15

/**
 * Returns the weight (0 to 1) of each sale, oldest first. Down-weights repeated sales by the same seller, so that no
 * single seller can set the price.
 */
export function sellerWeights(sales: readonly MarketSale[]): Float64Array {
  const weights = new Float64Array(sales.length)
  const sums = new Map<string | null, number>()
  let oldest = 0
  for (const [index, sale] of sales.entries()) {
    for (; sales[oldest]!.day < sale.day - SELLER_WINDOW_DAYS; oldest++) {
      const { seller } = sales[oldest]!
      sums.set(seller, sums.get(seller)! - weights[oldest]!)
    }
    const cap = Math.max(MAX_SELLER_SALES, MAX_SELLER_SHARE * (index - oldest + 1))
    const before = sums.get(sale.seller) ?? 0
    const weight = Math.max(0, Math.min(1, cap - before))
    weights[index] = weight
    sums.set(sale.seller, before + weight)
  }
  return weights
}
