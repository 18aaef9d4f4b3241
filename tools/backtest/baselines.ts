import { median } from '@brickmark/core/market/valuation/priors'
import type { MarketSale } from '@brickmark/core/market/valuation/usable-sales'

const SIX_MONTHS = 180
const HALF_LIFE_DAYS = 60
const TRIMMED_SHARE = 0.1
const LAST_SALES = 5

/** Simple methods that compute a log value from the same rows; null without sales in the last six months. */
export const BASELINES = ['median6', 'trimmedMean6', 'weightedMean', 'weightedMedian', 'lastFive'] as const

export type BaselineName = (typeof BASELINES)[number]

export type Baselines = { sales: number } & Record<BaselineName, number | null>

/**
 * Computes the median and the trimmed mean of six months, the exponentially weighted mean and median with a half-life of
 * 60 days, and the median of the last five sales. The baselines also drop duplicate, returned and flagged rows, so that
 * the comparison covers only the rows that need an estimator.
 */
export function computeBaselines(seen: readonly MarketSale[], asOf: number): Baselines {
  const ids = new Set<string>()
  const recent = seen
    .filter((sale) => {
      if (sale.returned || sale.flag !== null || sale.day > asOf || ids.has(sale.id)) return false
      ids.add(sale.id)
      return sale.day > asOf - SIX_MONTHS
    })
    .sort((a, b) => a.day - b.day)
  if (recent.length === 0) {
    return { sales: 0, median6: null, trimmedMean6: null, weightedMean: null, weightedMedian: null, lastFive: null }
  }
  const prices = recent.map((sale) => Math.log(sale.unitCents))
  const weights = recent.map((sale) => 2 ** ((sale.day - asOf) / HALF_LIFE_DAYS))
  return {
    sales: recent.length,
    median6: median(prices),
    trimmedMean6: trimmedMean(prices),
    weightedMean: weightedMean(prices, weights),
    weightedMedian: weightedMedian(prices, weights),
    lastFive: median(prices.slice(-LAST_SALES)),
  }
}

function trimmedMean(values: number[]): number {
  const cut = Math.floor(values.length * TRIMMED_SHARE)
  const kept = values.toSorted((a, b) => a - b).slice(cut, values.length - cut)
  return kept.reduce((sum, value) => sum + value, 0) / kept.length
}

function weightedMean(values: number[], weights: number[]): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return values.reduce((sum, value, index) => sum + value * weights[index]!, 0) / total
}

function weightedMedian(values: number[], weights: number[]): number {
  const sorted = values.map((value, index) => ({ value, weight: weights[index]! })).sort((a, b) => a.value - b.value)
  const half = weights.reduce((sum, weight) => sum + weight, 0) / 2
  let below = 0
  return sorted.find(({ weight }) => (below += weight) >= half)!.value
}
