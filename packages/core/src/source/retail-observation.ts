export type Product = { retailer: 'retailer_a' | 'retailer_b'; product_id: string }

export type StoredRetailObservation = Product & {
  source_id: string
  event_id: string
  source_rank: number
  arrival: number
  observed_at: Date
  price_usd: string | null
  list_price_usd: string | null
  seller_type: 'retailer' | 'third_party' | null
  in_stock: boolean | null
  lowest_fba_usd: string | null
  fba_sellers: number | null
  buy_box_usd: string | null
}

/** What a source saw of one product at one retailer. Times in milliseconds, money in cents. */
export type RetailObservation = {
  sourceId: string
  /** Null when the source numbers nothing: then equal payloads are one observation. */
  eventId: string | null
  sourceRank: number
  /** The order in which observations came in. */
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
