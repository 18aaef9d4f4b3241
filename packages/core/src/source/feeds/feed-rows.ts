/** The rows of our feeds after validation: what ingestion stages and publishes. Money as text with two decimals. */

export type FeedName = 'catalog' | 'sales' | 'returns' | 'retail'

/** Every row says where it comes from and under which licence, so that a source can be withdrawn. */
type Provenance = { source_id: string; licence_id: string }

export type MarketSaleRow = Provenance & {
  event_id: string
  item_kind: 'set' | 'minifig'
  item_number: string
  condition: 'sealed' | 'used'
  /** 'YYYY-MM-DD' */
  sold_on: string
  unit_price_usd: string
  /** The currency of the sale and the rate of the sale date that was used (USD for one unit of it). */
  currency: string
  fx_rate: string
  quantity: number
  seller_ref: string | null
  buyer_ref: string | null
  /** Why the sale tells nothing about the value of one complete item; null when it does. */
  excluded: 'lot' | 'parts_only' | 'unknown_offer' | null
  /** When the source made it known; null for today. A backfill says it, so that past months come out as they were. */
  known_on: string | null
}

export type SaleReturnRow = Provenance & { event_id: string; returned_on: string; known_on: string | null }

export type RetailRow = Provenance & {
  event_id: string
  retailer: 'retailer_a' | 'retailer_b'
  product_id: string
  /** ISO-8601 in UTC */
  observed_at: string
  price_usd: string | null
  list_price_usd: string | null
  seller_type: 'retailer' | 'third_party' | null
  in_stock: boolean | null
  lowest_fba_usd: string | null
  fba_sellers: number | null
  buy_box_usd: string | null
}

export type CatalogRow = Provenance &
  (
    | {
        record: 'set'
        set_number: string
        title: string
        theme: string
        subtheme: string | null
        pieces: number | null
        msrp_usd: string | null
        release_date: string | null
        retire_date: string | null
        asin: string | null
        upc: string | null
        ean: string | null
        image_url: string | null
        box_width_in: string | null
        box_height_in: string | null
        box_depth_in: string | null
        box_weight_lbs: string | null
      }
    | {
        record: 'minifig'
        minifig_number: string
        name: string
        category: string | null
        color: string | null
        year_released: number | null
        image_url: string | null
      }
    | { record: 'contains'; set_number: string; minifig_number: string; quantity: number }
    | {
        record: 'product'
        set_number: string
        retailer: 'retailer_a' | 'retailer_b'
        product_id: string
        product_url: string
      }
  )

/** One line of a feed: a row, or why it is none. `raw` is the line as it came, for the quarantine. */
export type ParsedRow<R> = { row_number: number; row: R } | { row_number: number; reason: string; raw: string }
