import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Lot, LotPatch, LotSelection } from './lot.ts'
import { lotConditions } from './lot-queries.ts'
import { rowVersion } from '../db/row-version.ts'

const TODAY = sql<string>`(now() at time zone 'utc')::date`

/** The item of a new lot that is in the catalog. */
export type CatalogItem = { set_number: string } | { minifig_number: string }

/** Adds a lot of an item of the catalog or of a custom item to one of the account's collections; returns its id. */
export async function addLot(
  db: Database,
  accountId: number,
  collectionId: number,
  item: CatalogItem | undefined,
  lot: Lot,
): Promise<number> {
  const { id } = await db
    .insertInto('portfolio.lot')
    .values({
      account_id: accountId,
      collection_id: collectionId,
      ...item,
      ...toColumns(lot),
      own_value_date: typeof lot.custom?.value === 'number' ? TODAY : null,
    })
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
    .$if(lot.custom !== undefined, (query) => query.set('own_value_date', valuationDate(lot.custom!.value)))
    .where('account_id', '=', accountId)
    .where('id', '=', lotId)
    .execute()
  return 'changed'
}

/** Records that the owner of a custom item stands by its value today. */
export async function confirmOwnValue(db: Database, accountId: number, collectionId: number, lotId: number) {
  await sql`
    update portfolio.lot set own_value_date = ${TODAY}
     where account_id = ${accountId} and collection_id = ${collectionId} and id = ${lotId} and own_value_cents is not null
       and quantity > 0`.execute(db)
}

/**
 * Applies one patch to all selected lots; returns how many. Undefined fields stay unchanged, and so does the condition of what
 * isn't a set.
 */
export async function updateLots(
  db: Database,
  accountId: number,
  collectionId: number,
  selection: LotSelection,
  { condition, status, price, moveTo }: LotPatch,
): Promise<number> {
  const { numAffectedRows } = await sql`
    update portfolio.lot changed
       set condition = case when changed.set_number is null then changed.condition
                            else coalesce(${condition ?? null}, changed.condition) end,
           status = coalesce(${status ?? null}, changed.status),
           purchase_price_cents = coalesce(${price ?? null}::integer, changed.purchase_price_cents),
           collection_id = coalesce(${moveTo ?? null}::bigint, changed.collection_id)
      from portfolio.lot_item lot
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
    select id from portfolio.lot
     where account_id = ${accountId} and id in (
             select lot.id from portfolio.lot_item lot where ${lotConditions(accountId, collectionId, selection)})
       and collection_id = ${collectionId} and quantity > 0
     order by id for update`.execute(db)
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

/** Today if the value changed: saving the same value again doesn't confirm it. */
function valuationDate(value: number | null): RawBuilder<string | null> {
  return sql<string | null>`case
    when ${value}::integer is null then null
    when own_value_cents = ${value} then own_value_date
    else ${TODAY} end`
}

function toColumns({ quantity, condition, status, price, date, notes, custom }: Lot) {
  return {
    quantity,
    condition,
    status,
    purchase_price_cents: price,
    purchase_date: date,
    notes,
    ...(custom && {
      custom_name: custom.name,
      own_value_cents: custom.value,
      review_months: custom.reviewMonths,
    }),
  }
}
