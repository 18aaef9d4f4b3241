import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { formatDay } from '../../primitives/calendar.ts'
import type { MinifigAttributes } from './minifig-valuation.ts'
import type { SetAttributesRow } from './set-sales.ts'

/**
 * Returns what the value of a set depends on as of a day, apart from its sales, for all sets or only those with the given
 * numbers.
 */
export function findSetAttributes(db: Database, asOf: number, numbers?: string[]): Promise<SetAttributesRow[]> {
  const retailPrice = sql<number | null>`(
    select min(price_cents) filter (where seller_type = 'retailer')
      from (select distinct on (retailer) price_cents, seller_type
              from market.retail_day
             where set_number = "set".set_number and day <= ${formatDay(asOf)}::date and feeds_values
             order by retailer, day desc) as latest)`
  return db
    .selectFrom('catalog.set')
    .select([
      'set_number',
      'theme',
      'msrp_cents',
      'release_date',
      'release_year',
      'retire_date',
      retailPrice.as('retail_cents'),
    ])
    .$if(numbers !== undefined, (q) => q.where(sql<boolean>`set_number = any(${numbers}::text[])`))
    .orderBy('set_number')
    .execute()
}

/**
 * Returns the attributes that the value of a minifig depends on, for all minifigs or only those with the given numbers.
 */
export function findMinifigAttributes(db: Database, numbers?: string[]): Promise<MinifigAttributes[]> {
  return db
    .selectFrom('catalog.minifig')
    .select(['minifig_number', 'category', 'year_released'])
    .$if(numbers !== undefined, (q) => q.where(sql<boolean>`minifig_number = any(${numbers}::text[])`))
    .orderBy('minifig_number')
    .execute()
}

/** Returns the events published for each set in months before this one. */
export async function findPublishedEvents(db: Database, before: string) {
  const { rows } = await sql<{ set_number: string; events: string[] }>`
    select set_number, array_agg(distinct event) as events from market.set_month
     where event is not null and month < ${before}::date group by set_number`.execute(db)
  return rows
}

/** Returns the day of the first known set sale, 'YYYY-MM-DD'. */
export async function findFirstSaleDate(db: Database): Promise<string | undefined> {
  const { rows } = await sql<{ first: string | null }>`
    select min(sold_on) as first from source.sale_observation where item_kind = 'set'`.execute(db)
  return rows[0]?.first ?? undefined
}
