import { sql } from 'kysely'
import { SET_STATUS, setStatus } from '../catalog/set-status.ts'
import type { Database } from '../db/database.ts'
import { lowestInDays } from '../market/retail/retail-price.ts'
import { dayNumber, formatDay, utcDayOf } from '../primitives/calendar.ts'
import { numberOrNull } from '../primitives/money.ts'
import type { DealCandidate } from './deals.ts'

/** An older price may no longer be the one that is asked. */
const MAX_AGE_HOURS = 24

export type DealCandidates = {
  candidates: DealCandidate[]
  /** How many sets with a value some shop has in stock, at any price. */
  setsInStock: number
  /** When the prices were read last, as an ISO string; null without any. */
  checkedAt: string | null
}

/**
 * Returns the offers that could be deals: in stock, checked within a day, allowed to be shown, and below a value that rests on
 * sales.
 */
export async function findDealCandidates(db: Database, now: Date): Promise<DealCandidates> {
  const today = utcDayOf(now)
  const oldest = new Date(now.getTime() - MAX_AGE_HOURS * 3_600_000)
  const isOffered = sql`r.in_stock and r.price_cents is not null and r.last_checked_at > ${oldest}
       and (r.shown_until is null or r.shown_until > ${now})`
  const { rows } = await sql<{
    set_number: string
    title: string
    theme: string
    box_weight_lbs: string | null
    release_date: string | null
    release_year: number | null
    retire_date: string | null
    value_cents: number
    range_low_cents: number | null
    data_tier: DealCandidate['tier']
    retailer: string
    retailer_name: string
    price_cents: number
    list_price_cents: number | null
    seller_type: 'retailer' | 'third_party' | null
    last_checked_at: Date
    tracked_since: string | null
  }>`
    select s.set_number, s.title, s.theme, s.box_weight_lbs, s.release_date, s.release_year, s.retire_date,
           v.value_cents, v.range_low_cents, v.data_tier, r.retailer, seller.name as retailer_name, r.price_cents,
           coalesce(r.list_price_cents, s.msrp_cents) as list_price_cents, r.seller_type, r.last_checked_at,
           case when r.at_lowest and r.last_change_cents is not null then (
             select min(d.day) from market.retail_day d where d.set_number = r.set_number and d.retailer = r.retailer)
           end as tracked_since
      from market.retail_state r
      join market.set_value v on v.set_number = r.set_number and v.condition = 'sealed' and v.data_tier in ('market', 'thin')
      join catalog.set s on s.set_number = r.set_number
      join catalog.retailer seller on seller.retailer = r.retailer
     where ${isOffered} and r.price_cents < v.value_cents`.execute(db)
  const { rows: counts } = await sql<{ sets: number; checked_at: Date | null }>`
    select count(distinct r.set_number)::integer as sets, max(r.last_checked_at) as checked_at
      from market.retail_state r
      join market.set_value v on v.set_number = r.set_number and v.condition = 'sealed' and v.value_cents is not null
     where ${isOffered}`.execute(db)
  return {
    candidates: rows.map((row) => ({
      setNumber: row.set_number,
      title: row.title,
      theme: row.theme,
      boxWeightLbs: numberOrNull(row.box_weight_lbs),
      isRetiringSoon: setStatus(row, formatDay(today)) === SET_STATUS.retiringSoon,
      value: row.value_cents,
      low: row.range_low_cents,
      tier: row.data_tier,
      retailer: row.retailer,
      retailerName: row.retailer_name,
      price: row.price_cents,
      isThirdParty: row.seller_type === 'third_party',
      checkedAt: row.last_checked_at.toISOString(),
      lowestInDays: lowestInDays(
        {
          price: row.price_cents,
          listPrice: row.list_price_cents,
          value: row.value_cents,
          trackedSince: row.tracked_since === null ? null : dayNumber(row.tracked_since),
        },
        today,
      ),
    })),
    setsInStock: counts[0]!.sets,
    checkedAt: counts[0]!.checked_at?.toISOString() ?? null,
  }
}
