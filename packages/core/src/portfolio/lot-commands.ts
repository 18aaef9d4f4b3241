import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Lot, LotPatch, LotSelection } from './lot.ts'
import { lotConditions } from './lot-queries.ts'
import { rowVersion } from '../db/row-version.ts'

/** Adds a lot to one of the account's collections; returns its id. */
export async function addLot(
  db: Database,
  accountId: number,
  collectionId: number,
  setNumber: string,
  lot: Lot,
): Promise<number> {
  const { id } = await db
    .insertInto('portfolio.lot')
    .values({ account_id: accountId, collection_id: collectionId, set_number: setNumber, ...toColumns(lot) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Updates a lot if it still has `expectedVersion`, so that saving an outdated form can't undo a concurrent edit or a
 * sale that took units.
 */
export async function updateLot(
  db: Database,
  accountId: number,
  collectionId: number,
  lotId: number,
  { lot, expectedVersion }: { lot: Lot; expectedVersion: string },
): Promise<'changed' | 'stale' | 'gone'> {
  const current = await db
    .selectFrom('portfolio.lot')
    .select(rowVersion('portfolio.lot').as('version'))
    .where('account_id', '=', accountId)
    .where('collection_id', '=', collectionId)
    .where('id', '=', lotId)
    .where('quantity', '>', 0)
    .forUpdate()
    .executeTakeFirst()
  if (!current) return 'gone'
  if (current.version !== expectedVersion) return 'stale'
  await db
    .updateTable('portfolio.lot')
    .set(toColumns(lot))
    .where('account_id', '=', accountId)
    .where('id', '=', lotId)
    .execute()
  return 'changed'
}

/** Applies one patch to all selected lots; returns how many. Undefined fields stay unchanged. */
export async function updateLots(
  db: Database,
  accountId: number,
  collectionId: number,
  selection: LotSelection,
  { condition, status, price, moveTo }: LotPatch,
): Promise<number> {
  const { numAffectedRows } = await sql`
    update portfolio.lot changed
       set condition = coalesce(${condition ?? null}, changed.condition),
           status = coalesce(${status ?? null}, changed.status),
           purchase_price_cents = coalesce(${price ?? null}::integer, changed.purchase_price_cents),
           collection_id = coalesce(${moveTo ?? null}::bigint, changed.collection_id)
      from portfolio.lot
      join catalog.set s using (set_number)
     where ${lotConditions(accountId, collectionId, selection)}
       and changed.account_id = lot.account_id and changed.id = lot.id`.execute(db)
  return Number(numAffectedRows ?? 0n)
}

/**
 * Deletes the selected lots; returns how many. A lot referenced by a sale is kept with quantity 0 to preserve history.
 * The lots are locked first: otherwise a sale being recorded concurrently would go unnoticed and lose its lots.
 */
export async function deleteLots(
  db: Database,
  accountId: number,
  collectionId: number,
  selection: LotSelection,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select lot.id
      from portfolio.lot
      join catalog.set s using (set_number)
     where ${lotConditions(accountId, collectionId, selection)}
     order by lot.id for update of lot`.execute(db)
  const ids = rows.map(({ id }) => id)
  await sql`
    with sold as (
      select distinct lot_id as id from portfolio.sale_lot
       where account_id = ${accountId} and lot_id = any(${ids}::bigint[])
    ),
    emptied as (
      update portfolio.lot set quantity = 0, deleted_at = now() where account_id = ${accountId} and id in (select id from sold)
    )
    delete from portfolio.lot
     where account_id = ${accountId} and id = any(${ids}::bigint[]) and id not in (select id from sold)`.execute(db)
  return ids.length
}

function toColumns({ quantity, condition, status, price, date, notes }: Lot) {
  return { quantity, condition, status, purchase_price_cents: price, purchase_date: date, notes }
}
