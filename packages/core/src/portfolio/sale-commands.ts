import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { toJsonb } from '../primitives/jsonb.ts'
import { parseItem } from './item.ts'
import type { Sale } from './sale.ts'
import type { SellableLot, LotAllocation } from './lot-allocation.ts'
import { findSellableLots } from './sellable-lot-queries.ts'

/** A sale of an item to add. `order` is the platform order line it was imported from. */
export type NewSale = Sale & { item: string; order?: { number: string; line: string } }

const STALE_SALE_MESSAGE =
  'This sale changed since you opened it, so nothing was saved. Reopen it to see the latest version.'

/** Builds a sale once the lots of its item are locked, or returns a message that says why it can't be recorded. */
type SaleBuilder = (lots: SellableLot[]) => Sale | string

/**
 * Adds a sale and takes its units from their lots; run it in a transaction so that both happen or neither does. Returns
 * the sale's id, or the message from `buildSale`.
 */
export async function recordSale(
  db: Database,
  accountId: number,
  item: string,
  buildSale: SaleBuilder,
): Promise<number | string> {
  await lockLots(db, accountId, [item])
  const sale = buildSale(await findSellableLots(db, accountId, [item]))
  if (typeof sale === 'string') return sale
  const [id] = await addSales(db, accountId, [{ ...sale, item }])
  return id!
}

/**
 * Updates a sale: returns its units to their lots and allocates them again. Rejects the update if the sale no longer
 * has `expectedVersion`; returns undefined if it doesn't exist.
 */
export async function updateSale(
  db: Database,
  accountId: number,
  saleId: number,
  expectedVersion: string,
  buildSale: SaleBuilder,
): Promise<number | string | undefined> {
  const before = await lockSale(db, accountId, saleId)
  if (before === undefined) return undefined
  if (before.version !== expectedVersion) return STALE_SALE_MESSAGE
  const sale = buildSale(await findSellableLots(db, accountId, [before.item], saleId))
  if (typeof sale === 'string') return sale
  await restoreUnits(db, accountId, saleId)
  await db
    .updateTable('portfolio.sale')
    .set(toColumns(sale))
    .where('account_id', '=', accountId)
    .where('id', '=', saleId)
    .execute()
  await allocateUnits(
    db,
    accountId,
    sale.allocations.map((allocation) => ({ ...allocation, saleId })),
  )
  return saleId
}

/**
 * Deletes a sale and returns its units to their lots. Returns how many were restored: 0 if it was not linked to a lot,
 * fewer than sold if a lot was deleted. Undefined if the sale doesn't exist.
 */
export async function deleteSale(db: Database, accountId: number, saleId: number): Promise<number | undefined> {
  if ((await lockSale(db, accountId, saleId)) === undefined) return undefined
  const units = await restoreUnits(db, accountId, saleId)
  await db.deleteFrom('portfolio.sale').where('account_id', '=', accountId).where('id', '=', saleId).execute()
  return units
}

/**
 * Adds the sales that `buildSale` returns once the lots of these sets are locked. Imports are serialized per account,
 * so that submitting twice finds the order lines of the first import. Returns how many were added.
 */
export async function importSales(
  db: Database,
  accountId: number,
  setNumbers: string[],
  buildSale: () => Promise<NewSale[]>,
): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended('import of sales', ${accountId}))`.execute(db)
  await lockLots(db, accountId, setNumbers)
  return (await addSales(db, accountId, await buildSale())).length
}

/**
 * Locks all lots of these items until the transaction ends, so that the next transaction sees the remaining units. Locks
 * in id order to avoid deadlocks.
 */
async function lockLots(db: Database, accountId: number, items: string[]): Promise<void> {
  await sql`
    select from portfolio.lot
     where account_id = ${accountId}
       and id in (select id from portfolio.lot_item where account_id = ${accountId} and item = any(${items}::text[]))
     order by id for update`.execute(db)
}

/** Locks a sale, then the lots of its item. */
async function lockSale(db: Database, accountId: number, saleId: number) {
  await sql`select from portfolio.sale where account_id = ${accountId} and id = ${saleId} for update`.execute(db)
  const { rows } = await sql<{ item: string; version: string }>`
    select item, version from portfolio.sale_item where account_id = ${accountId} and id = ${saleId}`.execute(db)
  const sale = rows[0]
  if (sale) await lockLots(db, accountId, [sale.item])
  return sale
}

/** Inserts sales whose lots are already locked and allocates their units; returns their ids. */
async function addSales(db: Database, accountId: number, sales: NewSale[]): Promise<number[]> {
  const rows = sales.map((sale, n) => {
    const { kind, number } = parseItem(sale.item)
    return { n, [`${kind}_number`]: number, ...toColumns(sale) }
  })
  const { rows: added } = await sql<{ id: number }>`
    insert into portfolio.sale (account_id, set_number, minifig_number, custom_name, platform, sale_date, quantity,
      gross_proceeds_cents, platform_fees_cents, payment_fees_cents, shipping_cost_cents, cost_cents)
    select ${accountId}, set_number, minifig_number,
           (select custom_name from portfolio.lot where account_id = ${accountId} and id = l.custom_number),
           platform, sale_date, quantity, gross_proceeds_cents, platform_fees_cents, payment_fees_cents, shipping_cost_cents,
           cost_cents
      from jsonb_to_recordset(${toJsonb(rows)}::jsonb) as l (n integer, set_number text, minifig_number text,
        custom_number bigint, platform text, sale_date date, quantity integer, gross_proceeds_cents bigint,
        platform_fees_cents bigint, payment_fees_cents bigint, shipping_cost_cents bigint, cost_cents bigint)
     order by n
    returning id`.execute(db)
  // Ids are assigned in row order.
  const ids = added.map(({ id }) => id).sort((a, b) => a - b)
  await allocateUnits(
    db,
    accountId,
    sales.flatMap((sale, n) => sale.allocations.map((allocation) => ({ ...allocation, saleId: ids[n]! }))),
  )
  const orders = sales.flatMap(({ order, platform }, n) =>
    order ? [{ account_id: accountId, platform, order_number: order.number, line: order.line, sale_id: ids[n]! }] : [],
  )
  await sql`
    insert into portfolio.sale_order (account_id, platform, order_number, line, sale_id)
    select account_id, platform, order_number, line, sale_id
      from jsonb_to_recordset(${toJsonb(orders)}::jsonb)
        as o (account_id bigint, platform text, order_number text, line text, sale_id bigint)`.execute(db)
  return ids
}

/**
 * Takes units from their lots. A check constraint rejects the update if a lot has too few. A sale that is edited may keep
 * units of a lot that was deleted since, which has none left to take.
 */
async function allocateUnits(
  db: Database,
  accountId: number,
  allocations: (LotAllocation & { saleId: number })[],
): Promise<void> {
  const rows = toJsonb(allocations.map(({ saleId, lotId, quantity }) => ({ sale_id: saleId, lot_id: lotId, quantity })))
  const allocated = sql`jsonb_to_recordset(${rows}::jsonb) as t (sale_id bigint, lot_id bigint, quantity integer)`
  await sql`
    insert into portfolio.sale_lot (account_id, sale_id, lot_id, quantity)
    select ${accountId}, sale_id, lot_id, quantity from ${allocated}`.execute(db)
  await sql`
    update portfolio.lot set quantity = lot.quantity - t.quantity
      from (select lot_id, sum(quantity)::integer as quantity from ${allocated} group by 1) t
     where lot.account_id = ${accountId} and lot.id = t.lot_id and lot.deleted_at is null`.execute(db)
}

/** Puts a sale's units back into their lots, unless a lot was deleted since; returns how many. */
async function restoreUnits(db: Database, accountId: number, saleId: number): Promise<number> {
  const { rows } = await sql<{ quantity: number }>`
    with gone as (
      delete from portfolio.sale_lot where account_id = ${accountId} and sale_id = ${saleId} returning lot_id, quantity
    )
    update portfolio.lot set quantity = lot.quantity + g.quantity
      from gone g
     where lot.account_id = ${accountId} and lot.id = g.lot_id and lot.deleted_at is null
    returning g.quantity`.execute(db)
  return rows.reduce((sum, { quantity }) => sum + quantity, 0)
}

function toColumns(sale: Sale) {
  return {
    platform: sale.platform,
    sale_date: sale.date,
    quantity: sale.quantity,
    gross_proceeds_cents: sale.gross,
    platform_fees_cents: sale.platformFees,
    payment_fees_cents: sale.paymentFees,
    shipping_cost_cents: sale.shipping,
    cost_cents: sale.cost,
  }
}
