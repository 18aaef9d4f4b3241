import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Condition } from '../catalog/condition.ts'
import type { SellableLot } from './lot-allocation.ts'

/**
 * Returns an account's lots of these items, oldest first; lots without a date come before all others. Counts the units of the
 * sale `saleId` as held, for editing that sale.
 */
export async function findSellableLots(
  db: Database,
  accountId: number,
  items: string[],
  saleId?: number,
): Promise<(SellableLot & { item: string; collection: string })[]> {
  const { rows } = await sql<{
    id: number
    item: string
    condition: Condition | null
    quantity: number
    purchase_price_cents: number | null
    purchase_date: string | null
    collection: string
  }>`
    select lot.id, lot.item, lot.condition, lot.quantity + coalesce(own.quantity, 0) as quantity, lot.purchase_price_cents,
           lot.purchase_date, collection.name as collection
      from portfolio.lot_item lot
      join portfolio.collection on collection.account_id = lot.account_id and collection.id = lot.collection_id
      left join portfolio.sale_lot own
        on own.account_id = lot.account_id and own.lot_id = lot.id and own.sale_id = ${saleId ?? 0}
     where lot.account_id = ${accountId} and lot.item = any(${items}::text[])
       and lot.quantity + coalesce(own.quantity, 0) > 0
     order by lot.purchase_date nulls first, lot.id`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    item: row.item,
    condition: row.condition,
    quantity: row.quantity,
    price: row.purchase_price_cents,
    date: row.purchase_date,
    collection: row.collection,
  }))
}

/** Returns the number of units an account holds per item: of the given sets, or of everything it holds. */
export async function findHeldItems(
  db: Database,
  accountId: number,
  { setNumbers, limit }: { setNumbers?: string[]; limit: number },
) {
  const { rows } = await sql<{ item: string; title: string; units: number }>`
    select item, title, sum(quantity) as units
      from portfolio.lot_item
     where account_id = ${accountId} and quantity > 0
       and ${setNumbers === undefined ? sql`true` : sql`set_number = any(${setNumbers}::text[])`}
     group by item, title
     order by lpad(split_part(item, '-', 1), 24, '0'), item
     limit ${limit}`.execute(db)
  return rows
}

/** Returns what the held lots of an item hold; undefined if the account holds none of it. */
export async function findHeldItem(db: Database, accountId: number, item: string) {
  const { rows } = await sql<{ item: string; title: string }>`
    select item, title from portfolio.lot_item
     where account_id = ${accountId} and item = ${item} and quantity > 0 limit 1`.execute(db)
  return rows[0]
}
