import { generateCatalog } from '../synthetic/catalog.ts'
import { generateDailyPaths, type DailyPath } from '../synthetic/daily-path.ts'
import {
  addDiscounts,
  addItemMoves,
  addRegimes,
  MARKET_SHAPES,
  retailPrice,
  type MarketName,
  type MarketShape,
} from '../synthetic/market-shape.ts'
import { generateSales, type SyntheticSale } from '../synthetic/sales.ts'
import { announcedRetirement } from '../synthetic/set-lifecycle.ts'
import type { Condition, SetLifecycle, SetRow } from '../synthetic/types.ts'
import { generateValuePaths } from '../synthetic/value-path.ts'
import { dayNumber } from '@brickmark/core/primitives/calendar'
import type { LifeDates } from '@brickmark/core/market/valuation/life-stage'
import type { SetAttributes } from '@brickmark/core/market/valuation/model-fit'
import { WINDOW_DAYS, type MarketSale } from '@brickmark/core/market/valuation/usable-sales'

const LAST_DAY = dayNumber('2027-03-31')
const DAYS = 1095

/** One set in one condition: its catalog attributes, its sales in order of arrival, and its true values. */
export type Item = {
  number: string
  condition: Condition
  theme: string
  listCents: number | null
  /** What retailers charge as long as it is on the shelf; null in markets without retail prices. */
  retailCents: number | null
  life: SetLifecycle
  hasDates: boolean
  path: DailyPath
  sales: SyntheticSale[]
}

/** The day each seller and buyer became established (first traded a second item), and the day of each return. */
type TraderHistory = { establishedFrom: Map<string, number>; returnedOn: Map<string, number> }

/** One set in both conditions. */
export type Pair = Record<Condition, Item>

export type BacktestMarket = TraderHistory & { shape: MarketShape; pairs: Pair[] }

/** Generates synthetic sets with three years of sales; origins never reach the last two months. */
export function generateBacktestMarket(seed: number, sets: number, name: MarketName): BacktestMarket {
  const shape: MarketShape = MARKET_SHAPES[name]
  const catalog = generateCatalog(seed, new Date(LAST_DAY * 86_400_000), sets)
  const calm = addItemMoves(seed, generateDailyPaths(seed, generateValuePaths(seed, catalog, LAST_DAY), LAST_DAY))
  const moving = shape.regimes ? addRegimes(seed, calm, LAST_DAY) : calm
  const paths = shape.discounts ? addDiscounts(shape, seed, moving, catalog.lifecycles) : moving
  const { sales, returns } = generateSales(seed, paths, { firstDay: LAST_DAY - DAYS, lastDay: LAST_DAY, shape })
  const byItem = Map.groupBy(sales, ({ item, condition }) => `${item} ${condition}`)
  const pairs = catalog.sets.flatMap((set) => {
    const path = paths.get(set.set_number)
    const life = catalog.lifecycles.get(set.set_number)
    if (path === undefined || life === undefined) return []
    const retailCents =
      shape.discounts && set.msrp_cents !== null ? retailPrice(shape, seed, set.set_number, set.msrp_cents) : null
    const itemIn = (condition: Condition) =>
      toItem(set, condition, { life, path, retailCents, sales: byItem.get(`${set.set_number} ${condition}`) ?? [] })
    return [{ sealed: itemIn('sealed'), used: itemIn('used') }]
  })
  return {
    shape,
    pairs,
    establishedFrom: establishedFrom(sales),
    returnedOn: new Map(returns.map(({ saleId, day }) => [saleId, day])),
  }
}

/** Returns the dates the catalog would have listed on a day. */
function datesKnownOn({ life, hasDates }: Item, day: number): LifeDates {
  if (!hasDates) return { releaseDay: null, retireDay: null }
  const retirement = announcedRetirement(life, day)
  return { releaseDay: life.releaseDay, retireDay: retirement === null ? null : dayNumber(retirement) }
}

/** Returns the attributes of a set as known on a day. */
export function attributesKnownOn(item: Item, day: number): SetAttributes {
  const { theme, listCents, retailCents, life } = item
  const isOnShelf = life.retireDay > day
  return { theme, listCents, retailCents: isOnShelf ? retailCents : null, dates: datesKnownOn(item, day) }
}

/** Returns the sales that had arrived by a day, without their labels. */
export function observationsAsOf(
  sales: readonly SyntheticSale[],
  day: number,
  traderHistory: TraderHistory,
): MarketSale[] {
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
      returned: (traderHistory.returnedOn.get(sale.saleId) ?? Infinity) <= day,
      sellerEstablished: isEstablished(sale.seller, day, traderHistory),
      buyerEstablished: isEstablished(sale.buyer, day, traderHistory),
    })
  }
  return seen
}

function isEstablished(party: string | null, day: number, { establishedFrom }: TraderHistory): boolean {
  return party !== null && (establishedFrom.get(party) ?? Infinity) <= day
}

function toItem(set: SetRow, condition: Condition, known: Pick<Item, 'life' | 'path' | 'retailCents' | 'sales'>): Item {
  return {
    number: set.set_number,
    condition,
    theme: set.theme,
    listCents: set.msrp_cents,
    hasDates: set.release_date !== null,
    ...known,
  }
}

function establishedFrom(sales: readonly SyntheticSale[]): Map<string, number> {
  const firstItem = new Map<string, string>()
  const known = new Map<string, number>()
  for (const { seller, buyer, item, arrivalDay } of sales) {
    for (const party of [seller, buyer]) {
      if (party === null) continue
      const first = firstItem.get(party)
      if (first === undefined) firstItem.set(party, item)
      else if (first !== item && !known.has(party)) known.set(party, arrivalDay)
    }
  }
  return known
}
