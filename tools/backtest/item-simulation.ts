import type { DailyPath } from '../synthetic/daily-path.ts'
import { randomStream } from '../synthetic/random.ts'
import { generateItemSales } from '../synthetic/sales.ts'
import { estimateItem, type Valuation } from '@brickmark/core/market/valuation/estimate'
import { WINDOW_DAYS } from '@brickmark/core/market/valuation/usable-sales'
import type { Round } from './rounds.ts'
import { attributesKnownOn, observationsAsOf, type BacktestMarket, type Item } from './market.ts'

const ITEMS = 15

/** Returns 15 sealed sets that were retired a year before a day. */
export function retiredItems({ pairs }: BacktestMarket, day: number): Item[] {
  return pairs
    .map(({ sealed }) => sealed)
    .filter(({ life, listCents }) => listCents !== null && life.retireDay < day - 365)
    .slice(0, ITEMS)
}

/**
 * Returns an item with new sales at `rate` sales per month, up to `days` days after `fromDay`. From that day on, its true
 * value is constant, at `factor` times what it was.
 */
export function simulateItem(
  market: BacktestMarket,
  item: Item,
  options: { label: string; rate: number; fromDay: number; days: number; factor: number },
): Item {
  const { label, rate, fromDay, days, factor } = options
  const lastDay = fromDay + days
  const extend = (from: Float64Array) => {
    const path = new Float64Array(lastDay - item.path.firstDay + 1)
    for (let index = 0; index < path.length; index++) {
      const jumped = item.path.firstDay + index >= fromDay ? Math.log(factor) : 0
      path[index] = from[Math.min(index, fromDay - item.path.firstDay)]! + jumped
    }
    return path
  }
  const { firstDay, sealed, used } = item.path
  const path: DailyPath = { firstDay, sealed: extend(sealed), used: extend(used) }
  const random = randomStream(0, `${label} ${item.number} ${rate}`)
  const { sales } = generateItemSales(random, { item: item.number, condition: 'sealed', path }, rate, {
    firstDay: fromDay - WINDOW_DAYS,
    lastDay,
    shape: market.shape,
  })
  return { ...item, path, sales: sales.sort((a, b) => a.arrivalDay - b.arrivalDay) }
}

/** Values a sealed item on a day by its own sales. */
export function valueItem(market: BacktestMarket, { valuer }: Round, item: Item, day: number): Valuation {
  const set = {
    attributes: attributesKnownOn(item, day),
    sales: { sealed: observationsAsOf(item.sales, day, market), used: [] },
  }
  return estimateItem(valuer.inputsOf(set, day).sealed, valuer.models.sealed)
}
