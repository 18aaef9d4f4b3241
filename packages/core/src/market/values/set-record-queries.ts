import { findSetMinifigs, findSets } from '../../catalog/set-queries.ts'
import type { Database } from '../../db/database.ts'
import { numberOrNull } from '../../primitives/money.ts'
import { MonthSeries } from './month-series.ts'
import { findRetailExits, findRetailStates } from '../retail/retail-state-queries.ts'
import { findMonthSeries } from './set-month-queries.ts'
import type { Retailer, RetailState, SetRecord, ValueRecord } from './set-record.ts'
import { findSetValues } from './value-queries.ts'

/** Loads the sets with these numbers, including values, months, minifigs and retail data. */
export async function loadSets(db: Database, numbers: string[]): Promise<SetRecord[]> {
  const records = new Map<string, SetRecord>()
  for (const row of await findSets(db, numbers)) records.set(row.set_number, toSetRecord(row))

  for (const row of await findSetValues(db, numbers)) {
    const set = records.get(row.set_number)
    if (set) set[row.condition === 'sealed' ? 'sealed' : 'used'] = toValueRecord(row)
  }
  for (const row of await findSetMinifigs(db, numbers)) {
    const set = records.get(row.set_number)
    set?.minifigs.push(row.minifig_number)
    if (set) set.minifigs_count += row.quantity
  }
  for (const row of await findRetailStates(db, numbers)) {
    const set = records.get(row.set_number)
    const state = toRetailStateRecord(row)
    if (set) set.retail[state.retailer] = state
  }
  for (const row of await findRetailExits(db, numbers)) {
    const set = records.get(row.set_number)
    if (!set) continue
    set.exit = {
      lowest_fba: row.lowest_fba_cents,
      fba_sellers: row.fba_sellers,
      buy_box: row.buy_box_cents,
      net_fba: row.net_fba_cents,
    }
  }
  const months = await findMonthSeries(db, numbers)
  const series = MonthSeries.unpack(months.map(({ packed }) => packed))
  for (const [index, row] of months.entries()) {
    const set = records.get(row.set_number)
    if (set) set.months[row.condition] = series[index]!
  }
  return [...records.values()]
}

function toSetRecord(row: Awaited<ReturnType<typeof findSets>>[number]): SetRecord {
  return {
    set_number: row.set_number,
    title: row.title,
    theme: row.theme,
    subtheme: row.subtheme,
    pieces: row.pieces,
    msrp: row.msrp_cents,
    release_date: row.release_date,
    release_year: row.release_year,
    retire_date: row.retire_date,
    asin: row.asin,
    upc: row.upc,
    ean: row.ean,
    image_url: row.image_url,
    box: {
      width_in: numberOrNull(row.box_width_in),
      height_in: numberOrNull(row.box_height_in),
      depth_in: numberOrNull(row.box_depth_in),
      weight_lbs: numberOrNull(row.box_weight_lbs),
    },
    minifigs: [],
    minifigs_count: 0,
    sealed: undefined,
    used: undefined,
    months: { sealed: MonthSeries.empty, used: MonthSeries.empty },
    retail: {},
    exit: undefined,
  }
}

export function toValueRecord(row: {
  value_cents: number | null
  range_low_cents: number | null
  range_high_cents: number | null
  data_tier: string
  effective_sales: number | null
  sellers: number | null
  last_sold_on: string | null
  doubtful: boolean
  calculated_at: Date
}): ValueRecord {
  const { effective_sales, sellers, last_sold_on } = row
  return {
    value: row.value_cents,
    low: row.range_low_cents,
    high: row.range_high_cents,
    tier: row.data_tier,
    evidence: effective_sales === null || sellers === null ? null : { effective_sales, sellers, last_sold_on },
    doubtful: row.doubtful,
    calculated_at: row.calculated_at,
  }
}

function toRetailStateRecord(row: Awaited<ReturnType<typeof findRetailStates>>[number]): RetailState {
  return {
    retailer: row.retailer as Retailer,
    retailer_name: row.retailer_name,
    price: row.price_cents,
    last_price: row.last_price_cents ?? row.price_cents,
    list_price: row.list_price_cents,
    seller_type: row.seller_type,
    in_stock: row.in_stock,
    changed_at: row.changed_at,
    last_change: row.last_change_cents,
    flip_1p_to_3p: row.flip_1p_to_3p,
    at_lowest: row.at_lowest,
    lowest: row.lowest_cents,
    product_url: row.product_url,
    last_checked_at: row.last_checked_at,
  }
}
