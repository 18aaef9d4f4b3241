import { sql } from 'kysely'
import type { Database } from '../database.ts'

/** Every minifig with its computed value, or the minifigs with these numbers. */
export function findMinifigs(db: Database, numbers?: string[]) {
  return db
    .selectFrom('catalog.minifig as m')
    .leftJoin('market.minifig_value as v', 'v.minifig_number', 'm.minifig_number')
    .select(['m.minifig_number', 'm.name', 'm.category', 'm.color', 'm.year_released', 'm.image_url'])
    .select(['v.value_usd', 'v.range_low_usd', 'v.range_high_usd', 'v.data_tier', 'v.calculated_at'])
    .$if(numbers !== undefined, (q) => q.where(sql<boolean>`m.minifig_number = any(${numbers}::text[])`))
    .execute()
}
