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

type PackedSeries = { set_number: string; condition: 'sealed' | 'used'; packed: Buffer }

// Columns of market.set_month as six big-endian integers.
const PACKED = sql`string_agg(
        int4send((extract(year from month) * 12 + extract(month from month) - 1)::integer)
        || int4send(coalesce((value_usd * 100)::integer, -1))
        || int4send(coalesce((range_low_usd * 100)::integer, -1))
        || int4send(coalesce((range_high_usd * 100)::integer, -1))
        || int4send(coalesce(sales_count, -1))
        || int4send(coalesce(array_position(array['released', 'retiring_soon', 'retired', 'rereleased'], event) - 1, -1)),
        ''::bytea order by month) as packed`

/**
 * All finalized months of a set and condition in one row, packed as six big-endian integers a month, ascending: month
 * index, value, low, high (cents), sales count, place of the event; −1 is null. Row by row, 1.8 million months took
 * four times as long to load.
 */
export async function findMonthSeries(db: Database, numbers: string[]) {
  const { rows } = await sql<PackedSeries>`
    select set_number, condition, ${PACKED}
      from market.set_month
     where ${among(numbers)}
     group by set_number, condition`.execute(db)
  return rows
}

/** The same, but only from the last month on whose value was known by the day `since`: what a chart from that day needs. */
export async function findMonthSeriesSince(db: Database, numbers: string[], since: string) {
  const { rows } = await sql<PackedSeries>`
    select m.set_number, m.condition, ${PACKED}
      from unnest(${numbers}::text[]) as wanted (set_number)
     cross join (values ('sealed'), ('used')) as either (condition)
     cross join lateral (
       select max(b.month) as first_month
         from market.set_month b
        where b.set_number = wanted.set_number and b.condition = either.condition and b.value_usd is not null
          and b.month <= date_trunc('month', ${since}::date + 1) - interval '1 month'
     ) as known
      join market.set_month m on m.set_number = wanted.set_number and m.condition = either.condition
       and m.month >= coalesce(known.first_month, '-infinity')
     group by m.set_number, m.condition`.execute(db)
  return rows
}

function among(numbers: string[]) {
  return sql<boolean>`set_number = any(${numbers}::text[])`
}
