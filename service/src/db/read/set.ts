import { sql } from 'kysely'
import type { Database } from '../database.ts'

/** The numbers of all sets. */
export async function findSetNumbers(db: Database): Promise<string[]> {
  const rows = await db.selectFrom('catalog.set').select('set_number').execute()
  return rows.map((row) => row.set_number)
}

export function findSets(db: Database, numbers: string[]) {
  return db.selectFrom('catalog.set').selectAll().where(among(numbers)).execute()
}

/** Computed values, sealed and used. */
export function findSetValues(db: Database, numbers: string[]) {
  return db.selectFrom('market.set_value').selectAll().where(among(numbers)).execute()
}

/** Which minifigs are in which set, in the order they are shown. */
export function findSetMinifigs(db: Database, numbers: string[]) {
  return db
    .selectFrom('catalog.set_minifig')
    .selectAll()
    .where(among(numbers))
    .orderBy('set_number')
    .orderBy('minifig_number')
    .execute()
}

/**
 * All finalized months of a set and condition in one row, packed as six big-endian integers a month, ascending: month
 * index, value, low, high (cents), sales count, place of the event; −1 is null. Row by row, 1.8 million months took
 * four times as long to load.
 */
export async function findMonthSeries(db: Database, numbers: string[]) {
  const { rows } = await sql<{ set_number: string; condition: 'sealed' | 'used'; packed: Buffer }>`
    select set_number, condition, string_agg(
        int4send((extract(year from month) * 12 + extract(month from month) - 1)::integer)
        || int4send(coalesce((value_usd * 100)::integer, -1))
        || int4send(coalesce((range_low_usd * 100)::integer, -1))
        || int4send(coalesce((range_high_usd * 100)::integer, -1))
        || int4send(coalesce(sales_count, -1))
        || int4send(coalesce(array_position(array['released', 'retiring_soon', 'retired', 'rereleased'], event) - 1, -1)),
        ''::bytea order by month) as packed
      from market.set_month
     where ${among(numbers)}
     group by set_number, condition`.execute(db)
  return rows
}

function among(numbers: string[]) {
  return sql<boolean>`set_number = any(${numbers}::text[])`
}
