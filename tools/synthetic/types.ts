/** Row fields are named after their columns; money and measures are strings, dates 'YYYY-MM-DD', instants ISO 8601. */

export type Condition = 'sealed' | 'used'
export type DataTier = 'market' | 'thin' | 'modelled' | 'none'
export type SetEvent = 'released' | 'retiring_soon' | 'retired' | 'rereleased'
export type Retailer = 'retailer_a' | 'retailer_b'
type SellerType = 'retailer' | 'third_party'

/** A row of catalog.set. */
export type SetRow = {
  set_number: string
  title: string
  theme: string
  subtheme: string | null
  pieces: number | null
  msrp_cents: number | null
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

/** A row of catalog.minifig. */
export type MinifigRow = {
  minifig_number: string
  name: string
  category: string | null
  color: string | null
  year_released: number | null
  image_url: string | null
}

/** A row of catalog.set_minifig. */
export type SetMinifigRow = { set_number: string; minifig_number: string; quantity: number }

/** A row of catalog.retailer. */
export type RetailerRow = { retailer: Retailer; name: string }

/** A value with its range: the columns that sets and minifigs share. */
export type ValueColumns = {
  value_cents: number | null
  range_low_cents: number | null
  range_high_cents: number | null
  data_tier: DataTier
  calculated_at: string
}

/** A row of market.set_value. */
export type SetValueRow = { set_number: string; condition: Condition } & ValueColumns

/** A row of market.minifig_value. */
export type MinifigValueRow = { minifig_number: string } & ValueColumns

/** A row of market.set_month. */
export type SetMonthRow = {
  set_number: string
  condition: Condition
  month: string
  value_cents: number | null
  range_low_cents: number | null
  range_high_cents: number | null
  sales_count: number | null
  event: SetEvent | null
}

/** A row of market.retail_state. */
export type RetailStateRow = {
  set_number: string
  retailer: Retailer
  price_cents: number | null
  last_price_cents: number
  list_price_cents: number | null
  seller_type: SellerType | null
  in_stock: boolean | null
  changed_at: string | null
  last_change_cents: number | null
  flip_1p_to_3p: boolean
  at_lowest: boolean
  lowest_cents: number | null
  product_url: string
  last_checked_at: string
}

/** A row of market.resale_offer. */
export type RetailExitRow = {
  set_number: string
  lowest_fba_cents: number | null
  fba_sellers: number | null
  buy_box_cents: number | null
  net_fba_cents: number | null
}

/** A row of source.sale_observation. */
export type SaleObservationRow = {
  source_id: string
  event_id: string
  license_id: string
  item_kind: 'set'
  item_number: string
  condition: Condition
  sold_on: string
  unit_price_cents: number
  currency: 'USD'
  fx_rate: '1'
  quantity: number
  seller_ref: string
  buyer_ref: string
  known_on: string
}

/** A row of source.retail_observation. */
export type RetailObservationRow = {
  source_id: string
  event_id: string
  license_id: string
  retailer: Retailer
  product_id: string
  observed_at: string
  price_cents: number | null
  list_price_cents: number | null
  seller_type: SellerType | null
  in_stock: boolean | null
}

/** The true life cycle of a set, whether or not the catalog lists it. Days since 1970-01-01. */
export type SetLifecycle = { listCents: number; releaseDay: number; retireDay: number; rereleaseDay: number | null }

/** True values in cents at the end of each month from `firstMonth` (a month index) to the current month. */
export type ValuePath = { firstMonth: number } & Record<Condition, number[]>

export type SyntheticCatalog = {
  sets: SetRow[]
  minifigs: MinifigRow[]
  setMinifigs: SetMinifigRow[]
  lifecycles: Map<string, SetLifecycle>
}

/** The synthetic market: all shared rows, and the true values for testing an estimator. */
export type SyntheticMarket = SyntheticCatalog & {
  retailers: RetailerRow[]
  paths: Map<string, ValuePath>
  setValues: SetValueRow[]
  setMonths: SetMonthRow[]
  minifigValues: MinifigValueRow[]
  retailStates: RetailStateRow[]
  retailExits: RetailExitRow[]
  saleObservations: SaleObservationRow[]
  retailObservations: RetailObservationRow[]
}

export type CollectionRow = { name: string; description: string | null; is_default: boolean; created_at: string }

/** `collection` is an index into `SyntheticPortfolio.collections`. */
export type LotRow = {
  collection: number
  set_number: string
  condition: Condition
  status: 'owned' | 'listed'
  quantity: number
  purchase_price_cents: number | null
  purchase_date: string | null
  notes: string | null
  created_at: string
}

export type BoughtLot = LotRow & { purchase_price_cents: number; purchase_date: string }

export type Platform =
  | 'ebay'
  | 'bricklink'
  | 'amazon'
  | 'walmart'
  | 'facebook'
  | 'mercari'
  | 'whatnot'
  | 'local'
  | 'other'

export type SaleRow = {
  set_number: string
  platform: Platform
  sale_date: string
  quantity: number
  gross_proceeds_cents: number
  platform_fees_cents: number
  payment_fees_cents: number
  shipping_cost_cents: number
  cost_cents: number | null
}

/** `sale` and `lotIndex` are indexes into `SyntheticPortfolio.sales` and `SyntheticPortfolio.lots`. */
export type SaleLotRow = { sale: number; lotIndex: number; quantity: number }

export type SyntheticPortfolio = {
  collections: CollectionRow[]
  lots: LotRow[]
  sales: SaleRow[]
  saleLots: SaleLotRow[]
}
