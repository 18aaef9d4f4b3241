import { generateCatalog } from '../synthetic/catalog.ts'
import { generateDailyPaths, type DailyPath } from '../synthetic/daily-path.ts'
import { generateSales, type SyntheticSale } from '../synthetic/sales.ts'
import { announcedRetirement } from '../synthetic/set-lifecycle.ts'
import type { Condition, SetLifecycle, SetRow } from '../synthetic/types.ts'
import { generateValuePaths } from '../synthetic/value-path.ts'
import { dayNumber } from '@brickmark/core/primitives/calendar'
import type { LifeDates } from '@brickmark/core/market/valuation/life-stage'
import { WINDOW_DAYS, type MarketSale } from '@brickmark/core/market/valuation/usable-sales'

const LAST_DAY = dayNumber('2027-03-31')
const DAYS = 1095

/** One set in one condition: its catalog attributes, its sales in order of arrival, and its true values. */
export type Item = {
  number: string
  condition: Condition
  theme: string
  listCents: number | null
  life: SetLifecycle
  hasDates: boolean
  path: DailyPath
  sales: SyntheticSale[]
}

/** The day each seller and buyer became established (first traded a second item), and the day of each return. */
type TraderHistory = { establishedFrom: Map<string, number>; returnedOn: Map<string, number> }

/** One set in both conditions. */
export type Pair = Record<Condition, Item>

export type BacktestMarket = TraderHistory & { pairs: Pair[] }

/** Generates synthetic sets with three years of sales; origins never reach the last two months. */
export function generateBacktestMarket(seed: number, sets: number): BacktestMarket {
  const catalog = generateCatalog(seed, new Date(LAST_DAY * 86_400_000), sets)
  const paths = generateDailyPaths(seed, generateValuePaths(seed, catalog, LAST_DAY), LAST_DAY)
  const { sales, returns } = generateSales(seed, paths, { firstDay: LAST_DAY - DAYS, lastDay: LAST_DAY })
  const byItem = Map.groupBy(sales, ({ item, condition }) => `${item} ${condition}`)
  const pairs = catalog.sets.flatMap((set) => {
    const path = paths.get(set.set_number)
    const life = catalog.lifecycles.get(set.set_number)
    if (path === undefined || life === undefined) return []
    const salesOf = (condition: Condition) => byItem.get(`${set.set_number} ${condition}`) ?? []
    return [
      {
        sealed: toItem(set, 'sealed', life, path, salesOf('sealed')),
        used: toItem(set, 'used', life, path, salesOf('used')),
      },
    ]
  })
  return {
    pairs,
    establishedFrom: establishedFrom(sales),
    returnedOn: new Map(returns.map(({ saleId, day }) => [saleId, day])),
  }
}

/** Returns the dates the catalog would have listed on a day. */
export function datesKnownOn({ life, hasDates }: Item, day: number): LifeDates {
  if (!hasDates) return { releaseDay: null, retireDay: null }
  const retirement = announcedRetirement(life, day)
  return { releaseDay: life.releaseDay, retireDay: retirement === null ? null : dayNumber(retirement) }
}

/** Returns the sales that had arrived by a day, without their labels. */
export function observationsAsOf(sales: readonly SyntheticSale[], day: number, registry: TraderHistory): MarketSale[] {
  const seen: MarketSale[] = []
  for (const sale of sales) {
    if (sale.arrivalDay > day || sale.day <= day - WINDOW_DAYS) continue
    seen.push({
      id: sale.saleId,
      day: sale.day,
      unitCents: sale.unitCents,
      quantity: sale.quantity,
      seller: sale.seller,
      buyer: sale.buyer,
      flag: sale.flag,
      returned: (registry.returnedOn.get(sale.saleId) ?? Infinity) <= day,
      sellerEstablished: (registry.establishedFrom.get(sale.seller) ?? Infinity) <= day,
      buyerEstablished: (registry.establishedFrom.get(sale.buyer) ?? Infinity) <= day,
    })
  }
  return seen
}

function toItem(set: SetRow, condition: Condition, life: SetLifecycle, path: DailyPath, sales: SyntheticSale[]): Item {
  return {
    number: set.set_number,
    condition,
    theme: set.theme,
    listCents: set.msrp_cents,
    life,
    hasDates: set.release_date !== null,
    path,
    sales,
  }
}

function establishedFrom(sales: readonly SyntheticSale[]): Map<string, number> {
  const firstItem = new Map<string, string>()
  const known = new Map<string, number>()
  for (const { seller, buyer, item, arrivalDay } of sales) {
    for (const party of [seller, buyer]) {
      const first = firstItem.get(party)
      if (first === undefined) firstItem.set(party, item)
      else if (first !== item && !known.has(party)) known.set(party, arrivalDay)
    }
  }
  return known
}
