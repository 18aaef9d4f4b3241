import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Condition } from '../catalog/condition.ts'
import type { SellableLot } from './lot-allocation.ts'

/**
 * Returns an account's lots of these sets, oldest first; lots without a date come before
 * all others. Counts the units of the sale `saleId` as held, for editing
 * that sale.
 */
export async function findSellableLots(
  db: Database,
  accountId: number,
  setNumbers: string[],
  saleId?: number,
): Promise<(SellableLot & { setNumber: string; collection: string })[]> {
  const { rows } = await sql<{
    id: number
    set_number: string
    condition: Condition
    quantity: number
    purchase_price_cents: number | null
    purchase_date: string | null
    collection: string
  }>`
    select lot.id, lot.set_number, lot.condition, lot.quantity + coalesce(own.quantity, 0) as quantity, lot.purchase_price_cents,
           lot.purchase_date, collection.name as collection
      from portfolio.lot
      join portfolio.collection on collection.account_id = lot.account_id and collection.id = lot.collection_id
      left join portfolio.sale_lot own
        on own.account_id = lot.account_id and own.lot_id = lot.id and own.sale_id = ${saleId ?? 0}
     where lot.account_id = ${accountId} and lot.set_number = any(${setNumbers}::text[])
       and lot.quantity + coalesce(own.quantity, 0) > 0
     order by lot.purchase_date nulls first, lot.id`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    setNumber: row.set_number,
    condition: row.condition,
    quantity: row.quantity,
    price: row.purchase_price_cents,
    date: row.purchase_date,
    collection: row.collection,
  }))
}

/** Returns the number of units an account holds per set, by set number: of the given sets, or of all held sets. */
export async function findHeldSets(
  db: Database,
  accountId: number,
  { setNumbers, limit }: { setNumbers?: string[]; limit: number },
) {
  const { rows } = await sql<{ set_number: string; title: string; units: number }>`
    select lot.set_number, s.title, sum(lot.quantity) as units
      from portfolio.lot join catalog.set s using (set_number)
     where lot.account_id = ${accountId} and lot.quantity > 0
       and ${setNumbers === undefined ? sql`true` : sql`lot.set_number = any(${setNumbers}::text[])`}
     group by lot.set_number, s.title
     order by lpad(split_part(lot.set_number, '-', 1), 24, '0'), lot.set_number
     limit ${limit}`.execute(db)
  return rows
}
