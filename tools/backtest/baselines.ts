import { median } from '@brickmark/core/market/valuation/priors'
import type { MarketSale } from '@brickmark/core/market/valuation/usable-sales'

const SIX_MONTHS = 180

/** Log values that simple methods compute from the same rows; null without sales. */
export type Baselines = { sales: number; lastSale: number | null; mean6: number | null; median6: number | null }

/**
 * Computes the last sale and the six-month mean and median. The baselines also drop duplicate, returned and flagged
 * rows, so that the comparison covers only the rows that need an estimator.
 */
export function computeBaselines(seen: readonly MarketSale[], asOf: number): Baselines {
  const ids = new Set<string>()
  const usable = seen.filter((sale) => {
    if (sale.returned || sale.flag !== null || sale.day > asOf || ids.has(sale.id)) return false
    ids.add(sale.id)
    return true
  })
  const recent = usable.filter((sale) => sale.day > asOf - SIX_MONTHS)
  const prices = recent.map((sale) => sale.unitCents)
  const last = usable.reduce<MarketSale | null>((best, sale) => (best && best.day > sale.day ? best : sale), null)
  const none = recent.length === 0
  return {
    sales: recent.length,
    lastSale: last === null ? null : Math.log(last.unitCents),
    mean6: none ? null : Math.log(prices.reduce((sum, price) => sum + price, 0) / prices.length),
    median6: none ? null : Math.log(median(prices)),
  }
}
