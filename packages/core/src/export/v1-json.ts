import type { MinifigRecord } from '../market/values/minifig-record.ts'
import type { MonthPoint } from '../market/values/month-series.ts'
import type { RetailState, SetRecord } from '../market/values/set-record.ts'
import { discountPercent } from '../market/retail/retail-price.ts'
import { SET_STATUS, setStatus } from '../catalog/set-status.ts'
import { formatDay, formatMonth, utcDayOf } from '../primitives/calendar.ts'
import { usdOrNull } from '../primitives/money.ts'

/** The objects of the API and of exports. The schemas in `apps/api/schemas` describe their fields. */

/** Serializes a set as of the day of `now`. */
export function serializeSet(set: SetRecord, now: Date) {
  const status = setStatus(set, formatDay(utcDayOf(now)))
  return {
    set_number: set.set_number,
    title: set.title,
    theme: set.theme,
    subtheme: set.subtheme,
    pieces: set.pieces,
    minifigs_count: set.minifigs_count,
    minifigs: set.minifigs,
    barcodes: { upc: set.upc, ean: set.ean },
    msrp_usd: usdOrNull(set.msrp),
    release_date: set.release_date,
    retire_date: status === SET_STATUS.retired ? set.retire_date : null,
    status_id: status,
    data_tier: set.sealed?.tier ?? 'none',
    image_url: set.image_url,
    new_value_usd: usdOrNull(set.sealed?.value ?? null),
    used_value_usd: usdOrNull(set.used?.value ?? null),
    value_range: {
      low: usdOrNull(set.sealed?.low ?? null),
      high: usdOrNull(set.sealed?.high ?? null),
      calculated_at: set.sealed?.calculated_at.toISOString() ?? null,
    },
    retailers: [set.retail.retailer_a, set.retail.retailer_b].flatMap((state) =>
      state ? [serializeRetailer(state, set.msrp)] : [],
    ),
    box: {
      width_in: set.box.width_in,
      height_in: set.box.height_in,
      depth_in: set.box.depth_in,
      weight_lbs: set.box.weight_lbs,
    },
  }
}

/** Serializes what a retailer asks for a set. `msrp` replaces a list price that the retailer doesn't show. */
function serializeRetailer(state: RetailState, msrp: number | null) {
  const listPrice = state.list_price ?? msrp
  return {
    retailer: state.retailer,
    retailer_name: state.retailer_name,
    current_price: usdOrNull(state.last_price),
    list_price: usdOrNull(listPrice),
    discount_percent: discountPercent(state.last_price, listPrice),
    in_stock: state.in_stock === true,
    is_first_party: state.seller_type === 'retailer',
    product_url: state.product_url,
    last_checked_at: state.last_checked_at.toISOString(),
  }
}

/** Serializes a minifig with the numbers of the sets that contain it. */
export function serializeMinifig(minifig: MinifigRecord, sets: string[]) {
  return {
    minifig_number: minifig.minifig_number,
    name: minifig.name,
    category: minifig.category,
    ...(minifig.color === null ? {} : { color: minifig.color }),
    year_released: minifig.year_released,
    image_url: minifig.image_url,
    current_value_usd: usdOrNull(minifig.value?.value ?? null),
    value_range: { low: usdOrNull(minifig.value?.low ?? null), high: usdOrNull(minifig.value?.high ?? null) },
    set_count: sets.length,
    sets,
  }
}

export function serializeMonth(point: MonthPoint) {
  return {
    month: formatMonth(point.month),
    value_usd: usdOrNull(point.value),
    range_low: usdOrNull(point.low),
    range_high: usdOrNull(point.high),
    sales_count: point.salesCount,
    event: point.event,
  }
}
