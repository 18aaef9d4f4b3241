import { z } from 'zod'
import { fetchJson, formatSchemaIssue, SourceError, type PollResult, type RetailSource } from './retail-source.ts'
import type { RetailRow } from '../feeds/feed-rows.ts'
import type { FoundProduct } from '../product-match.ts'

export type KeepaConfig = {
  /** 'https://api.keepa.com', or a test server. */
  baseUrl: string
  key: string
  licenseId: string
  /**
   * How many days of changes to request: at least the longest pause between two polls. Known observations are
   * recognized as repeated. Infinity requests the whole history.
   */
  lookbackDays?: number
  batchSize?: number
  now?: () => number
}

/** Keepa's seller id for the retailer itself in the United States. */
const RETAILER_SELLER_ID = 'ATVPDKIKX0DER'
const UNKNOWN_SELLER_ID = '-2'
const KEEPA_EPOCH_MINUTES = 21_564_000
const MINUTE = 60_000
/** One token per product plus two for its buy box; the response reports the actual cost. */
const TOKENS_PER_PRODUCT = 3
/** Tolerates clock skew, but not much: a price dated tomorrow would override everything until then. */
const MAX_CLOCK_SKEW_MINUTES = 10
/** The only history that counts offers: here 0 is a valid value, whereas a price of 0 means none. */
const FBA_COUNT = 34
const MAX_PRICE_CENTS = 999_999_999
const MAX_RAW_LENGTH = 2_000
const MAX_CODES_PER_CALL = 100
/** A whole history has up to a megabyte. */
const PRODUCTS_WITH_HISTORY = 4

/** Polls retailer_a through Keepa: every change within the look-back period, plus the state at Keepa's last update. */
export function keepaSource(config: KeepaConfig): RetailSource {
  const { lookbackDays = 7, batchSize = 20, now = Date.now } = config
  const baseUrl = new URL(config.baseUrl)
  return {
    retailer: 'retailer_a',
    name: 'Keepa',
    retailerName: 'Amazon',
    sourceId: 'keepa',
    batchSize: Math.min(100, batchSize),
    tokenCost: (products) => products * TOKENS_PER_PRODUCT,
    async poll(asins, signal) {
      const url = new URL('product', baseUrl)
      const params = { key: config.key, domain: '1', asin: asins.join(','), buybox: '1', history: '1' }
      const period = lookbackDays === Infinity ? {} : { days: String(lookbackDays) }
      url.search = new URLSearchParams({ ...params, ...period }).toString()
      const body = Body.safeParse(await fetchJson(url, {}, signal, parseRefillMs))
      if (!body.success) throw new SourceError('invalid_response', 'response has no list of products')
      const since = now() - lookbackDays * 24 * 60 * MINUTE
      return parseBody(body.data, asins, { since, now: now(), licenseId: config.licenseId })
    },
    codesPerCall: MAX_CODES_PER_CALL,
    async findProducts(codes, signal) {
      const url = new URL('product', baseUrl)
      const params = { key: config.key, domain: '1', code: codes.join(','), history: '0' }
      url.search = new URLSearchParams(params).toString()
      const body = Body.safeParse(await fetchJson(url, {}, signal, parseRefillMs))
      if (!body.success) throw new SourceError('invalid_response', 'response has no list of products')
      return { products: parseFoundProducts(body.data.products ?? []), tokens: toTokens(body.data) }
    },
    ...(lookbackDays !== Infinity && {
      withHistory: keepaSource({ ...config, lookbackDays: Infinity, batchSize: PRODUCTS_WITH_HISTORY }),
    }),
  }
}

const Barcodes = z.array(z.string()).nullish()
const IdentifiedProduct = z.object({
  asin: z.string().regex(/^[A-Z0-9]{10}$/),
  title: z.string().min(1),
  upcList: Barcodes,
  eanList: Barcodes,
})

/** Returns the identified products. Those without a title can't be told apart, so they are left out. */
function parseFoundProducts(products: unknown[]): FoundProduct[] {
  return products.flatMap((rawProduct) => {
    const { data } = IdentifiedProduct.safeParse(rawProduct)
    if (data === undefined) return []
    const { asin, title, upcList, eanList } = data
    const product_url = `https://www.amazon.com/dp/${asin}`
    return [
      { product_id: asin, title: title.toWellFormed(), codes: [...(upcList ?? []), ...(eanList ?? [])], product_url },
    ]
  })
}

const Tokens = z.number().nullish()
const Body = z.object({
  tokensLeft: Tokens,
  tokensConsumed: Tokens,
  refillRate: Tokens,
  products: z.array(z.unknown()).nullish(),
})

// The body of a 429 reports how many milliseconds remain until tokens are available again.
function parseRefillMs(body: unknown): number | null {
  const { data } = z.object({ refillIn: z.number().nonnegative() }).safeParse(body)
  return data?.refillIn ?? null
}

function toTokens({ tokensLeft, refillRate }: z.infer<typeof Body>): PollResult['tokens'] {
  return typeof tokensLeft === 'number' ? { left: tokensLeft, perMinute: refillRate ?? null } : null
}

type ParseContext = { since: number; now: number; licenseId: string }

function parseBody(body: z.infer<typeof Body>, asins: string[], parseContext: ParseContext): PollResult {
  const productsByAsin = new Map<string, unknown>()
  for (const product of body.products ?? []) {
    const { data } = z.object({ asin: z.string() }).safeParse(product)
    if (data !== undefined && !productsByAsin.has(data.asin)) productsByAsin.set(data.asin, product)
  }
  const result: PollResult = {
    rows: [],
    rejected: [],
    cost: body.tokensConsumed ?? null,
    tokens: toTokens(body),
  }
  for (const asin of asins) {
    const rawProduct = productsByAsin.get(asin)
    const read =
      rawProduct === undefined ? "the response doesn't include this product" : toRetailRows(rawProduct, parseContext)
    if (typeof read !== 'string') result.rows.push(...read)
    else
      result.rejected.push({
        product_id: asin,
        reason: read,
        raw: JSON.stringify(rawProduct ?? null).slice(0, MAX_RAW_LENGTH),
      })
  }
  return result
}

// Histories are validated while parsing: a million bad entries must not produce a million schema issues.
const Product = z.object({
  asin: z.string(),
  csv: z.array(z.unknown()),
  lastUpdate: z.int().nonnegative().nullish(),
  buyBoxSellerIdHistory: z.array(z.unknown()).nullish(),
})

/** A history entry: the value in cents (or number of offers) from that minute on, null for none. */
type Point = { minute: number; value: number | null }
type Histories = Record<'own' | 'new' | 'list' | 'fba' | 'buyBox' | 'fbaCount', Point[]>

/** Returns the observations of one product, oldest first, or the reason the product is unusable. */
function toRetailRows(rawProduct: unknown, { since, now, licenseId }: ParseContext): RetailRow[] | string {
  const product = Product.safeParse(rawProduct)
  if (!product.success) return formatSchemaIssue(product.error)
  const { asin, csv, lastUpdate, buyBoxSellerIdHistory } = product.data
  const histories = parseHistories(csv)
  if (typeof histories === 'string') return histories
  const sellers = parseSellers(buyBoxSellerIdHistory ?? [])
  const lastChange = Object.values(histories).reduce((last, history) => Math.max(last, history.at(-1)?.minute ?? 0), 0)
  const latest = Math.max(lastUpdate ?? 0, lastChange)
  if (latest === 0) return 'there is neither a history nor a last update'
  if (latest > toMinute(now) + MAX_CLOCK_SKEW_MINUTES) return 'a point is in the future'
  const from = toMinute(since)
  const changes = Object.values(histories).flatMap((history) => history.map(({ minute }) => minute))
  const minutes = [...changes.filter((minute) => minute >= from), latest]
  return [...new Set(minutes)]
    .toSorted((a, b) => a - b)
    .map((minute) => ({
      source_id: 'keepa',
      license_id: licenseId,
      event_id: `${asin}:${minute}`,
      retailer: 'retailer_a',
      product_id: asin,
      observed_at: new Date((minute + KEEPA_EPOCH_MINUTES) * MINUTE).toISOString(),
      ...observationAt(histories, sellers, minute),
    }))
}

type Observed = Omit<RetailRow, 'source_id' | 'license_id' | 'event_id' | 'retailer' | 'product_id' | 'observed_at'>

function observationAt(histories: Histories, sellers: Seller[], minute: number): Observed {
  const at = (history: Point[]): number | null => latestAtOrBefore(history, minute)?.value ?? null
  const [own, anyNew, list, fba] = [at(histories.own), at(histories.new), at(histories.list), at(histories.fba)]
  const [buyBox, fbaCount] = [at(histories.buyBox), at(histories.fbaCount)]
  const seller = latestAtOrBefore(sellers, minute)?.sellerId
  const offerFields = {
    list_price_cents: list,
    lowest_fba_cents: fba,
    // The count includes the retailer's own offer.
    fba_sellers: fbaCount === null ? null : Math.max(0, fbaCount - (own === null ? 0 : 1)),
    buy_box_cents: buyBox,
  }
  if (own !== null) return { price_cents: own, seller_type: 'retailer', in_stock: true, ...offerFields }
  // A hidden price looks like no offer, but the retailer is selling if it holds the buy box.
  const hidden = seller === RETAILER_SELLER_ID
  if (anyNew !== null && !hidden)
    return {
      price_cents: anyNew,
      seller_type: seller === UNKNOWN_SELLER_ID ? null : 'third_party',
      in_stock: true,
      ...offerFields,
    }
  const someOffer = hidden || fba !== null || buyBox !== null || (fbaCount ?? 0) > 0
  const everSold = histories.own.length > 0 || histories.new.length > 0
  return { price_cents: null, seller_type: null, in_stock: everSold && !someOffer ? false : null, ...offerFields }
}

function parseHistories(csv: unknown[]): Histories | string {
  try {
    return {
      own: parseHistory(csv, 0),
      new: parseHistory(csv, 1),
      list: parseHistory(csv, 4),
      fba: parseHistory(csv, 10),
      buyBox: parseHistory(csv, 18, 3),
      fbaCount: parseHistory(csv, FBA_COUNT),
    }
  } catch (error) {
    if (error instanceof InvalidHistoryError) return error.message
    throw error
  }
}

class InvalidHistoryError extends Error {}

function parseHistory(csv: unknown[], type: number, width: 2 | 3 = 2): Point[] {
  const flat: unknown = csv[type] ?? []
  if (!isWholeNumbers(flat)) throw new InvalidHistoryError(`history ${type} contains values that are not integers`)
  if (flat.length % width !== 0) throw new InvalidHistoryError(`history ${type} is truncated`)
  const found: Point[] = []
  for (let i = 0; i < flat.length; i += width) {
    const [minute = 0, amount = -1, shipping = 0] = flat.slice(i, i + width)
    if (minute < (found.at(-1)?.minute ?? 0)) throw new InvalidHistoryError(`history ${type} is out of order`)
    const total = amount + Math.max(0, shipping)
    if (total > MAX_PRICE_CENTS) throw new InvalidHistoryError(`history ${type} has an impossible value`)
    const none = type === FBA_COUNT ? amount < 0 : amount <= 0
    found.push({ minute, value: none ? null : total })
  }
  return found
}

function isWholeNumbers(history: unknown): history is number[] {
  return Array.isArray(history) && history.every(Number.isSafeInteger)
}

type Seller = { minute: number; sellerId: string }

function parseSellers(history: unknown[]): Seller[] {
  return Array.from({ length: Math.floor(history.length / 2) }, (_, i) => ({
    minute: Number(history[2 * i]),
    sellerId: String(history[2 * i + 1]),
  }))
}

/** Returns the last entry at or before a minute. Binary search, because a history may have 100,000 entries. */
function latestAtOrBefore<T extends { minute: number }>(entries: T[], minute: number): T | undefined {
  let [low, high] = [0, entries.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((entries[middle]?.minute ?? 0) <= minute) low = middle + 1
    else high = middle
  }
  return entries[low - 1]
}

function toMinute(ms: number): number {
  return Math.floor(ms / MINUTE) - KEEPA_EPOCH_MINUTES
}
