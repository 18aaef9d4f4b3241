import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Product } from '../../source/retail-observation.ts'

/**
 * Claims up to `limit` items whose value must be recomputed, oldest mark first. Their marks stay locked, so other
 * workers skip them, and are deleted when the computing transaction commits. A sale that arrives meanwhile marks the
 * item again.
 */
export async function claimQueuedItems(db: Database, kind: 'set' | 'minifig', limit: number): Promise<string[]> {
  const { rows } = await sql<{ item_number: string }>`
    delete from source.valuation_queue
     where (item_kind, item_number) in (
       select item_kind, item_number from source.valuation_queue
        where item_kind = ${kind} order by marked_at limit ${limit} for update skip locked)
    returning item_number`.execute(db)
  return rows.map((row) => row.item_number)
}

/** Marks every item as dirty, because values age: all are recomputed nightly. Returns the number of new marks. */
export async function queueAllItems(db: Database): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into source.valuation_queue (item_kind, item_number)
    select 'set', set_number from catalog.set union all select 'minifig', minifig_number from catalog.minifig
     order by 1, 2
    on conflict do nothing`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Claims up to `limit` products with unpublished observations. Like dirty items, they stay locked until commit. */
export async function claimQueuedProducts(db: Database, limit: number): Promise<Product[]> {
  const { rows } = await sql<Product>`
    delete from source.retail_queue
     where (retailer, product_id) in (
       select retailer, product_id from source.retail_queue order by marked_at limit ${limit} for update skip locked)
    returning retailer, product_id`.execute(db)
  return rows
}
