import { sql } from 'kysely'
import { hasSetNumberIn } from '../../catalog/set-queries.ts'
import type { Database } from '../../db/database.ts'

/**
 * Returns the days on which a set's price or seller type changed, per retailer: those since a day and the last before.
 */
export async function findRetailDays(db: Database, setNumber: string, since: string) {
  const { rows } = await sql<{
    retailer: 'retailer_a' | 'retailer_b'
    day: string
    price_cents: number | null
    seller_type: 'retailer' | 'third_party' | null
  }>`
    select d.retailer, d.day, d.price_cents, d.seller_type
      from market.retail_day d
     where d.set_number = ${setNumber}
       and d.day >= coalesce((
         select max(earlier.day) from market.retail_day earlier
          where earlier.set_number = d.set_number and earlier.retailer = d.retailer and earlier.day < ${since}), ${since}::date)
     order by d.retailer, d.day`.execute(db)
  return rows
}

/** Returns the lowest and the highest price that was seen of each set, at any retailer. */
export async function findPriceRanges(
  db: Database,
  numbers: string[],
): Promise<Map<string, { lowest: number; highest: number }>> {
  const rows = await db
    .selectFrom('market.retail_day')
    .select([
      'set_number',
      (eb) => eb.fn.min('price_cents').as('lowest'),
      (eb) => eb.fn.max('price_cents').as('highest'),
    ])
    .where('price_cents', 'is not', null)
    .where(hasSetNumberIn(numbers))
    .groupBy('set_number')
    .execute()
  return new Map(rows.map(({ set_number, lowest, highest }) => [set_number, { lowest: lowest!, highest: highest! }]))
}
