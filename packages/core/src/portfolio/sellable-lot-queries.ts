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
    select h.id, h.set_number, h.condition, h.quantity + coalesce(own.quantity, 0) as quantity, h.purchase_price_cents,
           h.purchase_date, b.name as collection
      from portfolio.lot h
      join portfolio.collection b on b.account_id = h.account_id and b.id = h.collection_id
      left join portfolio.sale_lot own
        on own.account_id = h.account_id and own.lot_id = h.id and own.sale_id = ${saleId ?? 0}
     where h.account_id = ${accountId} and h.set_number = any(${setNumbers}::text[])
       and h.quantity + coalesce(own.quantity, 0) > 0
     order by h.purchase_date nulls first, h.id`.execute(db)
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
    select h.set_number, s.title, sum(h.quantity) as units
      from portfolio.lot h join catalog.set s using (set_number)
     where h.account_id = ${accountId} and h.quantity > 0
       and ${setNumbers === undefined ? sql`true` : sql`h.set_number = any(${setNumbers}::text[])`}
     group by h.set_number, s.title
     order by lpad(split_part(h.set_number, '-', 1), 24, '0'), h.set_number
     limit ${limit}`.execute(db)
  return rows
}
