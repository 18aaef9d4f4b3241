import { utcDayOf } from '@brickmark/core/primitives/calendar'
import { elementAt, randomStream, type Random } from './random.ts'
import type {
  SyntheticCatalog,
  Retailer,
  RetailerRow,
  RetailExitRow,
  RetailStateRow,
  SetRow,
  ValuePath,
} from './types.ts'

export const RETAILERS: RetailerRow[] = [
  { retailer: 'retailer_a', name: 'Retailer A' },
  { retailer: 'retailer_b', name: 'Retailer B' },
]

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const DISCOUNTS = [0, 0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4]

type RetailData = { retailStates: RetailStateRow[]; retailExits: RetailExitRow[] }

/** Generates retail states and exits for released sets, covering every state a price can have. */
export function generateRetail(
  seed: number,
  catalog: SyntheticCatalog,
  paths: Map<string, ValuePath>,
  today: Date,
): RetailData {
  const random = randomStream(seed, 'retail')
  const retail: RetailData = { retailStates: [], retailExits: [] }
  for (const set of catalog.sets) {
    const sealed = paths.get(set.set_number)?.sealed ?? []
    if (sealed.length === 0) continue
    const sold = { set, valueCents: elementAt(sealed, sealed.length - 1), onShelf: isOnShelf(catalog, set, today) }
    if (set.asin !== null && random.chance(0.9))
      retail.retailStates.push(
        generateState(random, 'retailer_a', `https://retailer-a.example/dp/${set.asin}`, sold, today),
      )
    const item = `https://retailer-b.example/ip/${random.int(100_000_000, 999_999_999)}`
    if (random.chance(0.7)) retail.retailStates.push(generateState(random, 'retailer_b', item, sold, today))
    if (set.asin !== null && random.chance(0.75)) retail.retailExits.push(generateExit(random, sold))
  }
  return retail
}

type RetailListing = { set: SetRow; valueCents: number; onShelf: boolean }

function isOnShelf(catalog: SyntheticCatalog, set: SetRow, today: Date): boolean {
  const life = catalog.lifecycles.get(set.set_number)
  return life !== undefined && (life.rereleaseDay !== null || life.retireDay > utcDayOf(today))
}

function generateState(
  random: Random,
  retailer: Retailer,
  product_url: string,
  listing: RetailListing,
  today: Date,
): RetailStateRow {
  const listCents = random.chance(0.96) ? listing.set.msrp_cents : null
  const byRetailer = random.chance(listing.onShelf ? 0.85 : 0.12)
  const prices = generatePrices(random, listing, byRetailer)
  const inStock = generateStock(random, listing.onShelf)
  const outOfStock = inStock === false
  return {
    set_number: listing.set.set_number,
    retailer,
    price_cents: outOfStock ? null : prices.price,
    last_price_cents: prices.price,
    list_price_cents: listCents,
    seller_type: outOfStock ? null : byRetailer ? 'retailer' : 'third_party',
    in_stock: inStock,
    ...generateChange(random, prices, today),
    flip_1p_to_3p: !outOfStock && !byRetailer && random.chance(0.3),
    at_lowest: !outOfStock && prices.price === prices.lowest,
    lowest_cents: prices.lowest,
    product_url,
    last_checked_at: ago(today, random.int(1, 5) * MINUTE),
  }
}

// Null if the stock couldn't be determined.
function generateStock(random: Random, onShelf: boolean): boolean | null {
  if (random.chance(0.02)) return null
  return random.chance(onShelf ? 0.88 : 0.7)
}

type ListingPrices = { price: number; before: number | null; lowest: number }

function generatePrices(
  random: Random,
  { set, valueCents, onShelf }: RetailListing,
  byRetailer: boolean,
): ListingPrices {
  const listCents = set.msrp_cents === null ? valueCents : set.msrp_cents
  const basePrice =
    byRetailer && onShelf ? listCents : Math.max(listCents * 0.8, valueCents * random.lognormal(1.08, 0.1))
  const price = roundTo99(basePrice * (1 - random.pick(DISCOUNTS)))
  if (random.chance(0.1)) return { price, before: null, lowest: price }
  const moved = roundTo99(price * random.lognormal(1.05, 0.15))
  const before = moved === price ? price + 100 : moved
  const lowest = Math.min(price, before)
  return { price, before, lowest: random.chance(0.4) ? lowest : roundTo99(lowest * 0.85) }
}

function generateChange(random: Random, { price, before }: ListingPrices, today: Date) {
  if (before === null) return { changed_at: null, last_change_cents: null }
  const age = random.pick([
    random.int(6, 55) * MINUTE,
    random.int(60, 23 * 60) * MINUTE,
    random.int(25, 160) * HOUR,
    random.int(8, 70) * DAY,
  ])
  return { changed_at: ago(today, age), last_change_cents: price - before }
}

// Approximates the fulfillment fee linearly, which is sufficient for display.
function generateExit(random: Random, { set, valueCents }: RetailListing): RetailExitRow {
  const lowest = random.chance(0.88) ? roundTo99(valueCents * random.lognormal(1.1, 0.08)) : null
  const buyBox = random.chance(0.9) ? roundTo99((lowest ?? valueCents) * random.lognormal(1.02, 0.04)) : null
  const price = lowest ?? buyBox
  const fulfilment = set.box_weight_lbs === null ? null : Math.round(1.035 * (380 + 65 * Number(set.box_weight_lbs)))
  const net = price === null || fulfilment === null ? null : price - Math.max(30, Math.round(price * 0.15)) - fulfilment
  return {
    set_number: set.set_number,
    lowest_fba_cents: lowest === null ? null : lowest,
    fba_sellers: lowest === null ? (random.chance(0.5) ? 0 : null) : 1 + random.poisson(5),
    buy_box_cents: buyBox === null ? null : buyBox,
    net_fba_cents: net === null ? null : net,
  }
}

function roundTo99(amount: number): number {
  return Math.max(199, Math.round(amount / 100) * 100 - 1)
}

function ago(today: Date, milliseconds: number): string {
  return new Date(today.getTime() - milliseconds).toISOString()
}
