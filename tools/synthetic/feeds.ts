import { cents, usdText } from '@brickmark/core/primitives/money'
import { dayOf, dayText, lastDayOfMonth } from '@brickmark/core/primitives/calendar'
import { lastDueMonth } from '@brickmark/core/market/month-finalization'
import type { CatalogRow, RetailRow, ReturnRow, SaleRow } from '@brickmark/core/source/feeds/feed-rows'
import { inventDailyPaths, inventMinifigPaths } from './daily-path.ts'
import { DEMO_SOURCE } from './observations.ts'
import { inventSales, type InventedSale } from './sales.ts'
import type { DemoMarket, RetailExitRow, RetailStateRow } from './types.ts'

const ORIGIN = { source_id: DEMO_SOURCE.source_id, licence_id: DEMO_SOURCE.licence_id }
const MONTHS = 36
const DAY_MS = 86_400_000
/** Sales a month of the set in the middle: less than half of the real figure, so that a demo is ready within a minute. */
const MEDIAN_RATE = 1.5

/** The catalog as a feed would tell it. */
export function catalogFeed(market: DemoMarket): CatalogRow[] {
  return [
    ...market.sets.map((set): CatalogRow => ({ ...ORIGIN, record: 'set', ...set })),
    ...market.minifigs.map((minifig): CatalogRow => ({ ...ORIGIN, record: 'minifig', ...minifig })),
    ...market.setMinifigs.map((link): CatalogRow => ({ ...ORIGIN, record: 'contains', ...link })),
    ...market.retailStates.map(({ set_number, retailer, product_url }): CatalogRow => ({
      ...ORIGIN,
      record: 'product',
      set_number,
      retailer,
      product_url,
      product_id: productOf(product_url),
    })),
  ]
}

/** Three years of sales, with everything that is wrong with real ones, and the returns of some. */
export function salesFeeds(seed: number, market: DemoMarket, today: Date): { sales: SaleRow[]; returns: ReturnRow[] } {
  const lastDay = dayOf(today)
  const firstDay = lastDayOfMonth(lastDueMonth(dayText(lastDay)) - MONTHS) + 1
  const span = { firstDay, lastDay, medianRate: MEDIAN_RATE }
  const sets = inventSales(seed, inventDailyPaths(seed, market.paths, lastDay), span)
  const minifigs = inventSales(seed, inventMinifigPaths(seed, market, lastDay), span)
  const arrived = (row: InventedSale) => row.day <= lastDay && row.arrivalDay <= lastDay
  return {
    sales: [
      ...sets.sales.filter(arrived).map((sale) => saleRow('set', sale)),
      ...minifigs.sales
        .filter((sale) => arrived(sale) && sale.condition === 'used')
        .map((sale) => saleRow('minifig', sale)),
    ],
    returns: [...sets.returns, ...minifigs.returns]
      .filter(({ day }) => day <= lastDay)
      .map(({ saleId, day }) => ({
        ...ORIGIN,
        event_id: canary(saleId),
        returned_on: dayText(day),
        known_on: dayText(day),
      })),
  }
}

/** A few observations behind each retail state: enough that the engine comes to that state. */
export function retailFeed(market: DemoMarket, today: Date): RetailRow[] {
  const exits = new Map(market.retailExits.map((exit) => [exit.set_number, exit]))
  return market.retailStates.flatMap((state) => observationsOf(state, exits.get(state.set_number), today))
}

function saleRow(kind: 'set' | 'minifig', sale: InventedSale): SaleRow {
  return {
    ...ORIGIN,
    event_id: canary(sale.saleId),
    item_kind: kind,
    item_number: sale.item,
    condition: sale.condition,
    sold_on: dayText(sale.day),
    unit_price_usd: usdText(sale.unitCents),
    currency: 'USD',
    fx_rate: '1',
    quantity: sale.quantity,
    seller_ref: canary(sale.seller),
    buyer_ref: canary(sale.buyer),
    excluded: sale.flag,
    known_on: dayText(sale.arrivalDay),
  }
}

/** Every reference begins so, that a leak of a licensed row can be searched for. */
function canary(name: string): string {
  return `CANARY-${name}`
}

function productOf(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1)
}

type Sighting = { at: number; price: string | null; seller: RetailRow['seller_type']; inStock: boolean | null }

function observationsOf(state: RetailStateRow, exit: RetailExitRow | undefined, today: Date): RetailRow[] {
  const product_id = productOf(state.product_url)
  return sightings(state, today).map(({ at, price, seller, inStock }, place, all) => ({
    ...ORIGIN,
    event_id: `CANARY-${state.retailer}-${product_id}-${place}`,
    retailer: state.retailer,
    product_id,
    observed_at: new Date(at).toISOString(),
    price_usd: price,
    list_price_usd: state.list_price_usd,
    seller_type: seller,
    in_stock: inStock,
    ...(place === all.length - 1 && state.retailer === 'retailer_a' && exit
      ? { lowest_fba_usd: exit.lowest_fba_usd, fba_sellers: exit.fba_sellers, buy_box_usd: exit.buy_box_usd }
      : { lowest_fba_usd: null, fba_sellers: null, buy_box_usd: null }),
  }))
}

/** First seen long ago, perhaps cheaper for a day, sold by others since, changed once, and seen last minutes ago. */
function sightings(state: RetailStateRow, today: Date): Sighting[] {
  const last = Date.parse(state.last_checked_at)
  const start = today.getTime() - 90 * DAY_MS
  const now = state.price_usd ?? state.lowest_usd
  const change = state.last_change_usd === null ? 0 : cents(state.last_change_usd)
  const before = now === null ? null : usdText(Math.max(100, cents(now) - change))
  const first = state.flip_1p_to_3p ? 'retailer' : state.seller_type
  const list: Sighting[] = [{ at: start, price: before, seller: first, inStock: true }]
  if (state.last_change_usd !== null && state.lowest_usd !== null) {
    list.push({ at: start + 10 * DAY_MS, price: state.lowest_usd, seller: first, inStock: true })
    list.push({ at: start + 11 * DAY_MS, price: before, seller: first, inStock: true })
  }
  if (state.flip_1p_to_3p) {
    for (const days of [40, 41])
      list.push({ at: start + days * DAY_MS, price: before, seller: 'third_party', inStock: true })
  }
  if (state.changed_at !== null) {
    list.push({ at: Date.parse(state.changed_at), price: now, seller: state.seller_type ?? first, inStock: true })
  }
  list.push({
    at: last,
    price: state.in_stock === false ? null : now,
    seller: state.seller_type,
    inStock: state.in_stock,
  })
  return list.filter(({ at }) => at <= last).sort((a, b) => a.at - b.at)
}
