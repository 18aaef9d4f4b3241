import { createPrivateKey, sign } from 'node:crypto'
import { z } from 'zod'
import { fetchJson, formatSchemaIssue, SourceError, type PollResult, type RetailSource } from './retail-source.ts'
import type { RetailRow } from '../feeds/feed-rows.ts'
import type { FoundProduct } from '../product-match.ts'

export type WalmartConfig = {
  /** 'https://developer.api.walmart.com/api-proxy/service/affil/product/v2/', or a test server. */
  baseUrl: string
  consumerId: string
  /** RSA private key (PEM); its public half is registered under `keyVersion`. */
  privateKey: string
  keyVersion: string
  licenseId: string
  now?: () => number
}

const MAX_ITEMS_PER_CALL = 20
const MAX_RAW_LENGTH = 2_000

/** Polls retailer_b through its affiliate API: one observation per item and poll. */
export function walmartSource(config: WalmartConfig): RetailSource {
  const { licenseId, now = Date.now } = config
  const items = new URL('items', config.baseUrl.endsWith('/') ? config.baseUrl : `${config.baseUrl}/`)
  const key = createPrivateKey(config.privateKey)
  const request = async (search: Record<string, string>, signal: AbortSignal) => {
    const at = now()
    const url = new URL(items)
    for (const [name, value] of Object.entries(search)) url.searchParams.set(name, value)
    const headers = {
      'WM_CONSUMER.ID': config.consumerId,
      'WM_CONSUMER.INTIMESTAMP': String(at),
      'WM_SEC.KEY_VERSION': config.keyVersion,
    }
    // The signed text: the values in order of the header names, each followed by a line feed.
    const signed = Buffer.from(`${Object.values(headers).join('\n')}\n`)
    const signature = sign('sha256', signed, key).toString('base64')
    const body = Body.safeParse(await fetchJson(url, { ...headers, 'WM_SEC.AUTH_SIGNATURE': signature }, signal))
    if (!body.success) throw new SourceError('invalid_response', 'response has no list of items')
    return { items: body.data.items, at }
  }
  return {
    retailer: 'retailer_b',
    name: 'Walmart',
    retailerName: 'Walmart',
    sourceId: 'walmart',
    batchSize: MAX_ITEMS_PER_CALL,
    tokenCost: () => 1,
    async poll(itemIds, signal) {
      const { items, at } = await request({ ids: itemIds.join(',') }, signal)
      return parseItems(items, itemIds, { at, licenseId })
    },
    // The service takes one barcode per call.
    codesPerCall: 1,
    async findProducts([upc = ''], signal) {
      const { items } = await request({ upc }, signal)
      return { products: parseFoundItems(items), tokens: null }
    },
  }
}

const ItemId = z.union([z.int(), z.string()]).transform(String)
const Body = z.object({ items: z.array(z.unknown()) })

const IdentifiedItem = z.object({ itemId: ItemId, name: z.string().min(1), upc: z.string() })

function parseFoundItems(items: unknown[]): FoundProduct[] {
  return items.flatMap((rawItem) => {
    const { data } = IdentifiedItem.safeParse(rawItem)
    if (data === undefined) return []
    const { itemId, name, upc } = data
    const product_url = `https://www.walmart.com/ip/${itemId}`
    return [{ product_id: itemId, title: name.toWellFormed(), codes: [upc], product_url }]
  })
}

type ParseContext = { at: number; licenseId: string }

function parseItems(items: unknown[], itemIds: string[], parseContext: ParseContext): PollResult {
  const itemsById = new Map<string, unknown>()
  for (const item of items) {
    const { data } = z.object({ itemId: ItemId }).safeParse(item)
    if (data !== undefined && !itemsById.has(data.itemId)) itemsById.set(data.itemId, item)
  }
  const result: PollResult = { rows: [], rejected: [], cost: null, tokens: null }
  for (const itemId of itemIds) {
    const rawItem = itemsById.get(itemId)
    const read = rawItem === undefined ? "the response doesn't include this item" : toRetailRow(rawItem, parseContext)
    if (typeof read !== 'string') result.rows.push(read)
    else
      result.rejected.push({
        product_id: itemId,
        reason: read,
        raw: JSON.stringify(rawItem ?? null).slice(0, MAX_RAW_LENGTH),
      })
  }
  return result
}

// 0 means "unknown"; amounts larger than the column allows are invalid.
const Dollars = z
  .number()
  .nonnegative()
  .max(9_999_999)
  .nullish()
  .transform((dollars) => (dollars ? Math.round(dollars * 100) || null : null))
const Item = z.object({
  itemId: ItemId,
  msrp: Dollars,
  salePrice: Dollars,
  stock: z.string().nullish(),
  availableOnline: z.boolean().nullish(),
  marketplace: z.boolean().nullish(),
  bestMarketplacePrice: z.object({ price: Dollars, availableOnline: z.boolean().nullish() }).nullish(),
})

/** Returns the observation of one item, or the reason the item is unusable. */
function toRetailRow(rawItem: unknown, { at, licenseId }: ParseContext): RetailRow | string {
  const item = Item.safeParse(rawItem)
  if (!item.success) return formatSchemaIssue(item.error)
  const { itemId, msrp } = item.data
  const offer = toOffer(item.data)
  return {
    source_id: 'walmart',
    license_id: licenseId,
    event_id: `${itemId}:${at}`,
    retailer: 'retailer_b',
    product_id: itemId,
    observed_at: new Date(at).toISOString(),
    price_cents: offer.price,
    list_price_cents: msrp,
    seller_type: offer.sellerType,
    in_stock: offer.inStock,
    lowest_fba_cents: null,
    fba_sellers: null,
    buy_box_cents: null,
  }
}

type Offer = { price: number | null; sellerType: RetailRow['seller_type']; inStock: boolean | null }

function toOffer({
  salePrice,
  stock,
  availableOnline,
  marketplace,
  bestMarketplacePrice,
}: z.infer<typeof Item>): Offer {
  const inStock = toInStock(stock ?? null, availableOnline ?? null)
  const best = bestMarketplacePrice ?? null
  // Sold out at the retailer, but a third party offers it on the same page: that is the price a visitor would pay.
  if (inStock === false && marketplace === false && best?.availableOnline === true && best.price !== null)
    return { price: best.price, sellerType: 'third_party', inStock: true }
  const sellerType = marketplace === null || marketplace === undefined ? null : marketplace ? 'third_party' : 'retailer'
  return { price: inStock === false ? null : salePrice, sellerType, inStock }
}

function toInStock(stock: string | null, availableOnline: boolean | null): boolean | null {
  if (availableOnline === false || (stock !== null && /^(not available|out of stock)$/i.test(stock))) return false
  return availableOnline ?? (stock === null ? null : true)
}
