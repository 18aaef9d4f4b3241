import { inventCatalog } from '../synthetic/catalog.ts'
import { inventDailyPaths, type DailyPath } from '../synthetic/daily-path.ts'
import { inventSales, type InventedSale } from '../synthetic/sales.ts'
import { knownRetirement } from '../synthetic/set-lifecycle.ts'
import type { Condition, SetLife, SetRow } from '../synthetic/types.ts'
import { inventPaths } from '../synthetic/value-path.ts'
import { centsOrNull } from '@brickmark/core/primitives/money'
import { dayNumber } from '@brickmark/core/primitives/calendar'
import type { LifeDates } from '@brickmark/core/market/valuation/life-stage'
import { WINDOW_DAYS, type SaleObservation } from '@brickmark/core/market/valuation/usable-sales'

const LAST_DAY = dayNumber('2027-03-31')
const DAYS = 1095

/** One set in one condition: what the catalog tells of it, its rows in order of arrival, and the truth. */
export type Item = {
  number: string
  condition: Condition
  theme: string
  listCents: number | null
  life: SetLife
  datesKnown: boolean
  path: DailyPath
  sales: InventedSale[]
}

/** When each seller and each buyer was first seen to trade a second item, and when each returned sale came back. */
type Registry = { knownFrom: Map<string, number>; returnedOn: Map<string, number> }

/** One set in both conditions. */
export type Pair = Record<Condition, Item>

export type BacktestMarket = Registry & { pairs: Pair[] }

/** Some hundred invented sets over three years, the last two months of which no origin reaches. */
export function backtestMarket(seed: number, sets: number): BacktestMarket {
  const catalog = inventCatalog(seed, new Date(LAST_DAY * 86_400_000), sets)
  const paths = inventDailyPaths(seed, inventPaths(seed, catalog, LAST_DAY), LAST_DAY)
  const { sales, returns } = inventSales(seed, paths, { firstDay: LAST_DAY - DAYS, lastDay: LAST_DAY })
  const byItem = Map.groupBy(sales, ({ item, condition }) => `${item} ${condition}`)
  const pairs = catalog.sets.flatMap((set) => {
    const path = paths.get(set.set_number)
    const life = catalog.lives.get(set.set_number)
    if (path === undefined || life === undefined) return []
    const salesOf = (condition: Condition) => byItem.get(`${set.set_number} ${condition}`) ?? []
    return [
      {
        sealed: itemOf(set, 'sealed', life, path, salesOf('sealed')),
        used: itemOf(set, 'used', life, path, salesOf('used')),
      },
    ]
  })
  return { pairs, knownFrom: knownFrom(sales), returnedOn: new Map(returns.map(({ saleId, day }) => [saleId, day])) }
}

/** The dates that the catalog would have shown on a day. */
export function datesOn({ life, datesKnown }: Item, day: number): LifeDates {
  if (!datesKnown) return { releaseDay: null, retireDay: null }
  const retirement = knownRetirement(life, day)
  return { releaseDay: life.releaseDay, retireDay: retirement === null ? null : dayNumber(retirement) }
}

/** What had arrived of some rows by a day, without the labels. */
export function seenBy(sales: readonly InventedSale[], day: number, registry: Registry): SaleObservation[] {
  const seen: SaleObservation[] = []
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
      sellerKnown: (registry.knownFrom.get(sale.seller) ?? Infinity) <= day,
      buyerKnown: (registry.knownFrom.get(sale.buyer) ?? Infinity) <= day,
    })
  }
  return seen
}

function itemOf(set: SetRow, condition: Condition, life: SetLife, path: DailyPath, sales: InventedSale[]): Item {
  return {
    number: set.set_number,
    condition,
    theme: set.theme,
    listCents: centsOrNull(set.msrp_usd),
    life,
    datesKnown: set.release_date !== null,
    path,
    sales,
  }
}

function knownFrom(sales: readonly InventedSale[]): Map<string, number> {
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
