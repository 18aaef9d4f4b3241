/** Feed rows after validation, as staged and published by the ingest commands. Money is in cents. */

export type FeedName = 'catalog' | 'sales' | 'returns' | 'retail'

/** Source and license of a row, so that a source can be withdrawn. */
type Provenance = { source_id: string; license_id: string }

export type MarketSaleRow = Provenance & {
  event_id: string
  item_kind: 'set' | 'minifig'
  item_number: string
  condition: 'sealed' | 'used'
  /** 'YYYY-MM-DD' */
  sold_on: string
  unit_price_cents: number
  /** Currency of the sale, and the exchange rate used for the sale date (USD per unit). */
  currency: string
  fx_rate: string
  quantity: number
  seller_ref: string | null
  buyer_ref: string | null
  /** Why the sale says nothing about the value of a single complete item; null if it does. */
  exclusion_reason: 'lot' | 'parts_only' | 'unknown_offer' | null
  /**
   * When the source published the sale; null for today. Set by backfills, so that past months come out as they were.
   */
  known_on: string | null
}

export type SaleReturnRow = Provenance & { event_id: string; returned_on: string; known_on: string | null }

export type RetailRow = Provenance & {
  event_id: string
  retailer: 'retailer_a' | 'retailer_b'
  product_id: string
  /** ISO-8601 in UTC */
  observed_at: string
  price_cents: number | null
  list_price_cents: number | null
  seller_type: 'retailer' | 'third_party' | null
  in_stock: boolean | null
  lowest_fba_cents: number | null
  fba_sellers: number | null
  buy_box_cents: number | null
}

/** `stated_on` is the day the source states a row for; null for today. */
export type CatalogRow = Provenance & { stated_on: string | null } & (
    | {
        record: 'set'
        set_number: string
        title: string
        theme: string
        subtheme: string | null
        pieces: number | null
        msrp_cents: number | null
        /** That of the release date, if there is one. */
        release_year: number | null
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
    | { record: 'alias'; minifig_number: string; alias: string }
    | { record: 'contains'; set_number: string; minifig_number: string; quantity: number }
    | {
        record: 'product'
        set_number: string
        retailer: 'retailer_a' | 'retailer_b'
        product_id: string
        product_url: string
      }
  )

/** One line of a feed: a row, or the reason it was rejected. `raw` is the original line, for the quarantine. */
export type ParsedRow<R> = { row_number: number; row: R } | { row_number: number; reason: string; raw: string }
