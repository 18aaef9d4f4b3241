import { sql } from 'kysely'
import type { Condition } from '../catalog/condition.ts'
import type { Database } from '../db/database.ts'
import type { MinifigAttributes } from './minifig-valuation.ts'
import type { PreviousValuesBySet } from './month-finalization.ts'
import { readSales } from './sale-store-queries.ts'
import type { SaleStore } from './sale-store.ts'
import type { SetAttributesRow } from './set-sales.ts'
import type { DataTier } from './valuation/estimate.ts'

/** Returns the attributes that the value of a set depends on, for all sets or only those with the given numbers. */
export function findSetAttributes(db: Database, numbers?: string[]): Promise<SetAttributesRow[]> {
  return db
    .selectFrom('catalog.set')
    .select(['set_number', 'theme', 'msrp_cents', 'release_date', 'retire_date'])
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

/** Returns the values of sets as of the end of a month ('YYYY-MM-DD', its first day). */
function findMonthValuations(db: Database, month: string, numbers?: string[]) {
  return db
    .selectFrom('source.month_valuation')
    .select(['item_number', 'condition', 'value_cents', 'data_tier'])
    .where('item_kind', '=', 'set')
    .where('month', '=', month)
    .$if(numbers !== undefined, (q) => q.where(sql<boolean>`item_number = any(${numbers}::text[])`))
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

/** Returns the values of each set as of the end of a month, or an empty map without a month. */
export async function findPreviousValues(
  db: Database,
  month: string | undefined,
  numbers?: string[],
): Promise<PreviousValuesBySet> {
  const published: PreviousValuesBySet = new Map()
  if (month === undefined) return published
  for (const row of await findMonthValuations(db, month, numbers)) {
    const both = published.get(row.item_number) ?? { sealed: null, used: null }
    if (row.value_cents !== null) {
      both[row.condition as Condition] = { valueCents: row.value_cents, tier: row.data_tier as DataTier }
    }
    published.set(row.item_number, both)
  }
  return published
}

/** Loads all minifigs and their sales since a day. */
export async function loadMinifigSales(
  db: Database,
  since: number,
): Promise<{ attributes: MinifigAttributes[]; book: SaleStore }> {
  const attributes = await findMinifigAttributes(db)
  const numbers = attributes.map((minifig) => minifig.minifig_number)
  return { attributes, book: await readSales(db, 'minifig', numbers, since) }
}
