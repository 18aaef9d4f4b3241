import { createPrivateKey, sign } from 'node:crypto'
import { z } from 'zod'
import { usdText } from '../../primitives/money.ts'
import { askJson, complaint, SourceFailure, type PollResult, type RetailSource } from './retail-source.ts'
import type { RetailRow } from '../feeds/feed-rows.ts'

export type WalmartConfig = {
  /** 'https://developer.api.walmart.com/api-proxy/service/affil/product/v2/', or a stand-in. */
  baseUrl: string
  consumerId: string
  /** The RSA key, as PEM, whose public half the account knows under `keyVersion`. */
  privateKey: string
  keyVersion: string
  licenceId: string
  now?: () => number
}

const MOST_ITEMS_A_CALL = 20
const RAW_KEPT = 2_000

/** retailer_b as its affiliate interface answers: one observation for an item and poll. */
export function walmartSource(config: WalmartConfig): RetailSource {
  const { licenceId, now = Date.now } = config
  const items = new URL('items', config.baseUrl.endsWith('/') ? config.baseUrl : `${config.baseUrl}/`)
  const key = createPrivateKey(config.privateKey)
  return {
    retailer: 'retailer_b',
    name: 'Walmart',
    sourceId: 'walmart',
    batchSize: MOST_ITEMS_A_CALL,
    costOf: () => 1,
    async poll(itemIds, signal) {
      const at = now()
      const url = new URL(items)
      url.searchParams.set('ids', itemIds.join(','))
      const headers = {
        'WM_CONSUMER.ID': config.consumerId,
        'WM_CONSUMER.INTIMESTAMP': String(at),
        'WM_SEC.KEY_VERSION': config.keyVersion,
      }
      // The values in the order of the header names, each ended by a line feed.
      const signed = Buffer.from(`${Object.values(headers).join('\n')}\n`)
      const signature = sign('sha256', signed, key).toString('base64')
      const body = Body.safeParse(await askJson(url, { ...headers, 'WM_SEC.AUTH_SIGNATURE': signature }, signal))
      if (!body.success) throw new SourceFailure('unusable', 'answered JSON without a list of items')
      return readItems(body.data.items, itemIds, { at, licenceId })
    },
  }
}

const ItemId = z.union([z.int(), z.string()]).transform(String)
const Body = z.object({ items: z.array(z.unknown()) })

type Reading = { at: number; licenceId: string }

function readItems(items: unknown[], itemIds: string[], reading: Reading): PollResult {
  const answers = new Map<string, unknown>()
  for (const item of items) {
    const { data } = z.object({ itemId: ItemId }).safeParse(item)
    if (data !== undefined && !answers.has(data.itemId)) answers.set(data.itemId, item)
  }
  const result: PollResult = { rows: [], rejected: [], cost: null, tokens: null }
  for (const itemId of itemIds) {
    const answer = answers.get(itemId)
    const read = answer === undefined ? 'the answer has no such item' : walmartRow(answer, reading)
    if (typeof read !== 'string') result.rows.push(read)
    else
      result.rejected.push({ product_id: itemId, reason: read, raw: JSON.stringify(answer ?? null).slice(0, RAW_KEPT) })
  }
  return result
}

// 0 stands for "not told"; more than the column holds is no price.
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

/** The observation in one item of an answer, or why it cannot be used. */
function walmartRow(answer: unknown, { at, licenceId }: Reading): RetailRow | string {
  const item = Item.safeParse(answer)
  if (!item.success) return complaint(item.error)
  const { itemId, msrp } = item.data
  const offer = offerOf(item.data)
  return {
    source_id: 'walmart',
    licence_id: licenceId,
    event_id: `${itemId}:${at}`,
    retailer: 'retailer_b',
    product_id: itemId,
    observed_at: new Date(at).toISOString(),
    price_usd: offer.price === null ? null : usdText(offer.price),
    list_price_usd: msrp === null ? null : usdText(msrp),
    seller_type: offer.sellerType,
    in_stock: offer.inStock,
    lowest_fba_usd: null,
    fba_sellers: null,
    buy_box_usd: null,
  }
}

type Offer = { price: number | null; sellerType: RetailRow['seller_type']; inStock: boolean | null }

function offerOf({
  salePrice,
  stock,
  availableOnline,
  marketplace,
  bestMarketplacePrice,
}: z.infer<typeof Item>): Offer {
  const inStock = stockOf(stock ?? null, availableOnline ?? null)
  const best = bestMarketplacePrice ?? null
  // Sold out at the retailer, but a third party offers it on the same page: that is what a visitor would pay.
  if (inStock === false && marketplace === false && best?.availableOnline === true && best.price !== null)
    return { price: best.price, sellerType: 'third_party', inStock: true }
  const sellerType = marketplace === null || marketplace === undefined ? null : marketplace ? 'third_party' : 'retailer'
  return { price: inStock === false ? null : salePrice, sellerType, inStock }
}

function stockOf(stock: string | null, availableOnline: boolean | null): boolean | null {
  if (availableOnline === false || (stock !== null && /^(not available|out of stock)$/i.test(stock))) return false
  return availableOnline ?? (stock === null ? null : true)
}
