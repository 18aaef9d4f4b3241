import type { MonthSeries } from './month-series.ts'

/** A set as cached by an API process. Money in cents, dates 'YYYY-MM-DD', null if unknown. */
export type SetRecord = {
  set_number: string
  title: string
  theme: string
  subtheme: string | null
  pieces: number | null
  msrp: number | null
  release_date: string | null
  release_year: number | null
  retire_date: string | null
  asin: string | null
  upc: string | null
  ean: string | null
  image_url: string | null
  box: { width_in: number | null; height_in: number | null; depth_in: number | null; weight_lbs: number | null }
  /** Distinct minifig numbers; `minifigs_count` includes duplicates. */
  minifigs: string[]
  minifigs_count: number
  sealed: ValueRecord | undefined
  used: ValueRecord | undefined
  months: { sealed: MonthSeries; used: MonthSeries }
  retail: Partial<Record<Retailer, RetailState>>
  exit: RetailExit | undefined
}

export type Retailer = 'retailer_a' | 'retailer_b'

export type ValueRecord = {
  value: number | null
  low: number | null
  high: number | null
  tier: string
  /** What the value rests on; null unless its tier is 'market'. */
  evidence: ValueEvidence | null
  /** Whether the value is limited because its sales don't support a larger move. */
  doubtful: boolean
  calculated_at: Date
}

/** Sales weighted by age and seller, distinct sellers, and the day of the latest sale ('YYYY-MM-DD'). */
type ValueEvidence = { effective_sales: number; sellers: number; last_sold_on: string | null }

export type RetailState = {
  retailer: Retailer
  retailer_name: string
  price: number | null
  /** The last price that was seen, also while the product is sold out. */
  last_price: number | null
  list_price: number | null
  seller_type: string | null
  in_stock: boolean | null
  changed_at: Date | null
  last_change: number | null
  flip_1p_to_3p: boolean
  at_lowest: boolean
  lowest: number | null
  product_url: string
  last_checked_at: Date
}

export type RetailExit = {
  lowest_fba: number | null
  fba_sellers: number | null
  buy_box: number | null
  net_fba: number | null
}
