import { hash } from 'node:crypto'
import type { RowValidator } from './row-validator.ts'
import { FEED_COLUMNS, columnIndexes } from './feed-columns.ts'
import { usdToCents } from './feed-money.ts'
import { id, timestamp, oneOf, booleanValue, integer } from './field-parsers.ts'
import type { RetailRow } from './feed-rows.ts'

const RETAIL = columnIndexes(FEED_COLUMNS.retail)
const EARLIEST_OBSERVATION = new Date('2015-01-01T00:00:00Z')
const HOUR_MS = 3_600_000

const retailer = oneOf(['retailer_a', 'retailer_b'])
const sellerType = oneOf(['retailer', 'third_party'])
const sellers = integer(0, 100_000)

/** Creates a parser for retail rows. Timestamps may be up to one hour ahead of `now`, to allow for clock skew. */
export function createRetailRowParser(now: Date): (validator: RowValidator) => RetailRow {
  const observedAt = timestamp(EARLIEST_OBSERVATION, new Date(now.getTime() + HOUR_MS))
  return (check) => {
    const row: RetailRow = {
      source_id: check.required(RETAIL.source, id),
      license_id: check.required(RETAIL.license, id),
      event_id: check.optional(RETAIL.event_id, id) ?? '',
      retailer: check.required(RETAIL.retailer, retailer),
      product_id: check.required(RETAIL.product_id, id),
      observed_at: check.required(RETAIL.observed_at, observedAt),
      price_cents: check.optional(RETAIL.price, usdToCents),
      list_price_cents: check.optional(RETAIL.list_price, usdToCents),
      seller_type: check.optional(RETAIL.seller_type, sellerType),
      in_stock: check.optional(RETAIL.in_stock, booleanValue),
      lowest_fba_cents: check.optional(RETAIL.lowest_fba, usdToCents),
      fba_sellers: check.optional(RETAIL.fba_sellers, sellers),
      buy_box_cents: check.optional(RETAIL.buy_box, usdToCents),
    }
    return row.event_id === '' ? { ...row, event_id: contentHashId(row) } : row
  }
}

/** Derives an event id from the content, so that an observation sent twice is recognized as the same. */
function contentHashId(row: RetailRow): string {
  return `sha256:${hash('sha256', JSON.stringify(row), 'hex')}`
}
