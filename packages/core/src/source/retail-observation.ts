export type Product = { retailer: 'retailer_a' | 'retailer_b'; product_id: string }

export type StoredRetailObservation = Product & {
  source_id: string
  event_id: string
  source_rank: number
  arrival: number
  observed_at: Date
  price_cents: number | null
  list_price_cents: number | null
  seller_type: 'retailer' | 'third_party' | null
  in_stock: boolean | null
  lowest_fba_cents: number | null
  fba_sellers: number | null
  buy_box_cents: number | null
  /** What the license of the source allows. */
  feeds_values: boolean
  max_display_ms: number | null
}

/** A source's observation of one product at one retailer. Times are in milliseconds, money in cents. */
export type RetailObservation = {
  sourceId: string
  /** Null if the source has no event ids: then equal payloads are the same observation. */
  eventId: string | null
  sourceRank: number
  /** Sequence number in order of arrival. */
  arrival: number
  at: number
  price: number | null
  listPrice: number | null
  sellerType: SellerType | null
  inStock: boolean | null
  lowestFba: number | null
  fbaSellers: number | null
  buyBox: number | null
}

export type SellerType = 'retailer' | 'third_party'
