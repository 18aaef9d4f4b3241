import { utcDayOf, formatDay, lastDayOfMonth } from '@brickmark/core/primitives/calendar'
import { latestFinalizableMonth } from '@brickmark/core/market/values/month-finalization'
import type { CatalogRow, RetailRow, SaleReturnRow, MarketSaleRow } from '@brickmark/core/source/feeds/feed-rows'
import { generateDailyPaths, generateMinifigPaths } from './daily-path.ts'
import { DEMO_SOURCE } from './observations.ts'
import { MARKET_SHAPES } from './market-shape.ts'
import { generateSales, type SyntheticSale } from './sales.ts'
import type { SyntheticMarket, RetailExitRow, RetailStateRow } from './types.ts'

const PROVENANCE = { source_id: DEMO_SOURCE.id, license_id: DEMO_SOURCE.license_id }
const CATALOG_ROW = { ...PROVENANCE, stated_on: null }
const MONTHS = 36
const DAY_MS = 86_400_000
/** Median sales per set and month: less than half of the real figure, so that a demo is ready within a minute. */
const MEDIAN_RATE = 1.5

/** Returns the catalog as feed rows. */
export function catalogFeed(market: SyntheticMarket): CatalogRow[] {
  return [
    ...market.sets.map((set): CatalogRow => ({ ...CATALOG_ROW, record: 'set', release_year: null, ...set })),
    ...market.minifigs.map((minifig): CatalogRow => ({ ...CATALOG_ROW, record: 'minifig', ...minifig })),
    ...market.setMinifigs.map((link): CatalogRow => ({ ...CATALOG_ROW, record: 'contains', ...link })),
    ...market.retailStates.map(({ set_number, retailer, product_url }): CatalogRow => ({
      ...CATALOG_ROW,
      record: 'product',
      set_number,
      retailer,
      product_url,
      product_id: productIdOf(product_url),
    })),
  ]
}

/** Generates three years of sales and returns as feed rows, with the contamination of real data. */
export function salesFeeds(
  seed: number,
  market: SyntheticMarket,
  today: Date,
): { sales: MarketSaleRow[]; returns: SaleReturnRow[] } {
  const lastDay = utcDayOf(today)
  const firstDay = lastDayOfMonth(latestFinalizableMonth(formatDay(lastDay)) - MONTHS) + 1
  const span = { firstDay, lastDay, shape: { ...MARKET_SHAPES.base, medianRate: MEDIAN_RATE } }
  const sets = generateSales(seed, generateDailyPaths(seed, market.paths, lastDay), span)
  const minifigs = generateSales(seed, generateMinifigPaths(seed, market, lastDay), span)
  const arrived = (row: SyntheticSale) => row.day <= lastDay && row.arrivalDay <= lastDay
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
        ...PROVENANCE,
        event_id: canary(saleId),
        returned_on: formatDay(day),
        known_on: formatDay(day),
      })),
  }
}

/** Generates a few observations per retail state, enough for the engine to arrive at that state. */
export function retailFeed(market: SyntheticMarket, today: Date): RetailRow[] {
  const exits = new Map(market.retailExits.map((exit) => [exit.set_number, exit]))
  return market.retailStates.flatMap((state) => toObservations(state, exits.get(state.set_number), today))
}

function saleRow(kind: 'set' | 'minifig', sale: SyntheticSale): MarketSaleRow {
  return {
    ...PROVENANCE,
    event_id: canary(sale.saleId),
    item_kind: kind,
    item_number: sale.item,
    condition: sale.condition,
    sold_on: formatDay(sale.day),
    unit_price_cents: sale.unitCents,
    currency: 'USD',
    fx_rate: '1',
    quantity: sale.quantity,
    seller_ref: sale.seller === null ? null : canary(sale.seller),
    buyer_ref: sale.buyer === null ? null : canary(sale.buyer),
    exclusion_reason: sale.flag,
    known_on: formatDay(sale.arrivalDay),
  }
}

/** Prefixes references of licensed rows, so that leaks can be searched for. */
function canary(name: string): string {
  return `CANARY-${name}`
}

function productIdOf(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1)
}

type PriceSighting = { at: number; price: number | null; seller: RetailRow['seller_type']; inStock: boolean | null }

function toObservations(state: RetailStateRow, exit: RetailExitRow | undefined, today: Date): RetailRow[] {
  const product_id = productIdOf(state.product_url)
  return priceTimeline(state, today).map(({ at, price, seller, inStock }, index, all) => ({
    ...PROVENANCE,
    event_id: `CANARY-${state.retailer}-${product_id}-${index}`,
    retailer: state.retailer,
    product_id,
    observed_at: new Date(at).toISOString(),
    price_cents: price,
    list_price_cents: state.list_price_cents,
    seller_type: seller,
    in_stock: inStock,
    ...(index === all.length - 1 && state.retailer === 'retailer_a' && exit
      ? { lowest_fba_cents: exit.lowest_fba_cents, fba_sellers: exit.fba_sellers, buy_box_cents: exit.buy_box_cents }
      : { lowest_fba_cents: null, fba_sellers: null, buy_box_cents: null }),
  }))
}

/** Starts 90 days ago; may include a day at the lowest price, a flip to third parties and the last price change. */
function priceTimeline(state: RetailStateRow, today: Date): PriceSighting[] {
  const last = Date.parse(state.last_checked_at)
  const start = today.getTime() - 90 * DAY_MS
  const now = state.price_cents ?? state.lowest_cents
  const change = state.last_change_cents === null ? 0 : state.last_change_cents
  const before = now === null ? null : Math.max(100, now - change)
  const first = state.flip_1p_to_3p ? 'retailer' : state.seller_type
  const list: PriceSighting[] = [{ at: start, price: before, seller: first, inStock: true }]
  if (state.last_change_cents !== null && state.lowest_cents !== null) {
    list.push({ at: start + 10 * DAY_MS, price: state.lowest_cents, seller: first, inStock: true })
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
