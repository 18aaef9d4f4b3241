import { sql } from 'kysely'
import type pg from 'pg'
import type { MarketContext } from '../../db/context.ts'
import type { Database } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { invalidateExports } from '../../source/export-validity-commands.ts'
import { dropHeldImport } from '../../source/held-import-commands.ts'
import { unknownImport } from '../../source/import-queries.ts'
import { requeueItems, requeueProducts } from '../../source/requeue-commands.ts'
import { refreshRetail } from '../retail/retail-refresh-commands.ts'
import { fitGrowth } from '../values/growth-fit-commands.ts'
import { refinalizeMonth } from '../values/month-finalization-commands.ts'
import { queueAllItems } from '../values/valuation-queue-commands.ts'

const ROWS_PER_TRANSACTION = 10_000

/** Feeds whose rows are added. A row of the catalog replaces what its source said before, which is gone. */
type UndoableFeed = 'sales' | 'returns' | 'retail'

export type UndoResult = { deleted: number; revisedValues: number }
export type UndoProgress = (step: 'rows' | 'months', done: number) => void

/** What a feed adds: how to list an import's rows and what they are about, and how to delete a batch of them. */
type Feed = {
  rows: string
  items: string
  deleteBatch: string
  requeue: (client: pg.ClientBase, subjects: string[][]) => Promise<void>
}

const FEEDS: Record<UndoableFeed, Feed> = {
  sales: {
    rows: 'select source_id, event_id, sold_on, null::timestamptz from source.sale_observation where import_id = $1',
    items: 'select distinct item_kind, item_number from source.sale_observation where import_id = $1',
    // An event that was deleted may be sent again, and its return waits for it.
    deleteBatch: `
      deleted as (
        delete from source.sale_observation o using taken t
         where (o.source_id, o.event_id, o.sold_on) = (t.source_id, t.event_id, t.sold_on) and o.import_id = $1
        returning o.source_id, o.event_id, o.item_kind, o.item_number),
      forgotten as (
        delete from source.sale_event e using deleted d where e.event_key = source.event_key(d.source_id, d.event_id)),
      waiting as (
        update source.sale_return r set item_kind = null, item_number = null
          from deleted d where r.source_id = d.source_id and r.event_id = d.event_id),
      subjects as (select jsonb_build_array(item_kind, item_number) as subject from deleted)`,
    requeue: requeueItems,
  },
  returns: {
    rows: 'select source_id, event_id, null::date, null::timestamptz from source.sale_return where import_id = $1',
    items:
      'select distinct item_kind, item_number from source.sale_return where import_id = $1 and item_number is not null',
    deleteBatch: `
      deleted as (
        delete from source.sale_return r using taken t
         where r.source_id = t.source_id and r.event_id = t.event_id and r.import_id = $1
        returning r.item_kind, r.item_number),
      subjects as (select jsonb_build_array(item_kind, item_number) as subject from deleted where item_number is not null)`,
    requeue: requeueItems,
  },
  retail: {
    rows: 'select source_id, event_id, null::date, observed_at from source.retail_observation where import_id = $1',
    items: `
      select distinct 'set', set_number from source.retail_observation join source.retail_product using (retailer, product_id)
       where import_id = $1`,
    deleteBatch: `
      deleted as (
        delete from source.retail_observation o using taken t
         where (o.source_id, o.event_id, o.observed_at) = (t.source_id, t.event_id, t.observed_at) and o.import_id = $1
        returning o.retailer, o.product_id),
      subjects as (select jsonb_build_array(retailer, product_id) as subject from deleted)`,
    requeue: requeueProducts,
  },
}

/**
 * Deletes the rows of an import and recomputes everything that depended on them, finalized months
 * included. Rows are deleted in batches, and a run that was interrupted continues when it is started again. A row that
 * other imports repeated was stored only once, so it has to be sent again.
 */
export async function undoImport(
  market: MarketContext,
  importId: number,
  onProgress: UndoProgress = () => {},
): Promise<UndoResult> {
  const { pool, db } = market
  if (await dropHeldImport(pool, importId)) return { deleted: 0, revisedValues: 0 }
  const feed = FEEDS[await beginUndo(pool, importId)]
  const deleted = await deleteRows(pool, importId, feed, (done) => onProgress('rows', done))
  await correctTraders(pool, importId)
  // Months are revised with the retail prices that are left.
  while ((await refreshRetail(market)) > 0);
  const revisedValues = await reviseMonths(db, importId, (done) => onProgress('months', done))
  await refitGrowth(market, importId)
  await invalidateExports(pool)
  await endUndo(pool, importId)
  return { deleted, revisedValues }
}

/** Records everything that has to be undone, and returns the feed of the import. */
async function beginUndo(pool: pg.Pool, importId: number): Promise<UndoableFeed> {
  return inTransaction(pool, async (client) => {
    await client.query('set local statement_timeout = 0')
    const { rows } = await client.query<{ feed: string; started: boolean; undone: boolean }>(
      `select feed, undo_started_at is not null as started, undone_at is not null as undone
         from source.import where id = $1 for update`,
      [importId],
    )
    const [found] = rows
    if (!found) throw unknownImport(importId)
    if (found.undone) throw new Error(`Import ${importId} was undone before.`)
    if (!(found.feed in FEEDS))
      throw new Error('A catalog can’t be undone: its rows replaced earlier ones. Ingest a corrected file instead.')
    const { rows: undoRows, items } = FEEDS[found.feed as UndoableFeed]
    if (!found.started) {
      await client.query(
        `insert into source.undo_row (import_id, source_id, event_id, sold_on, observed_at) select $1, of_import.* from (${undoRows}) of_import`,
        [importId],
      )
      await client.query(
        `insert into source.undo_item (import_id, item_kind, item_number) select $1, of_import.* from (${items}) of_import`,
        [importId],
      )
      await client.query(
        `insert into source.undo_trader (import_id, role, source_id, ref)
         select $1, role, source_id, ref from source.trader where import_id = $1 or several_import_id = $1`,
        [importId],
      )
      // Rows that were rejected must not come back by a retry.
      await client.query('delete from source.quarantine where import_id = $1', [importId])
      await client.query('update source.import set undo_started_at = now() where id = $1', [importId])
    }
    return found.feed as UndoableFeed
  })
}

async function deleteRows(
  pool: pg.Pool,
  importId: number,
  { deleteBatch, requeue }: Feed,
  onProgress: (deleted: number) => void,
): Promise<number> {
  let deleted = 0
  for (let taken = ROWS_PER_TRANSACTION; taken === ROWS_PER_TRANSACTION;) {
    taken = await inTransaction(pool, async (client) => {
      const { rows } = await client.query<{ taken: number; deleted: number; subjects: string[][] }>(
        `with next as (select id from source.undo_row where import_id = $1 order by id limit ${ROWS_PER_TRANSACTION}),
         taken as (delete from source.undo_row r using next where r.import_id = $1 and r.id = next.id returning r.*),
         ${deleteBatch}
         select (select count(*)::integer from taken) as taken, (select count(*)::integer from deleted) as deleted,
                (select coalesce(jsonb_agg(distinct subject order by subject), '[]') from subjects) as subjects`,
        [importId],
      )
      const [batch] = rows
      deleted += batch!.deleted
      await requeue(client, batch!.subjects)
      return batch!.taken
    })
    onProgress(deleted)
  }
  return deleted
}

/** Recomputes, from the remaining sales, what was known of traders only through this import. */
async function correctTraders(pool: pg.Pool, importId: number): Promise<void> {
  await inTransaction(pool, async (client) => {
    // These tables have just changed a lot: with outdated statistics, the planner would scan all sales for each trader.
    await client.query('set local statement_timeout = 0; set local enable_nestloop = off')
    await client.query('delete from source.trader where import_id = $1', [importId])
    await client.query(
      'update source.trader set several_since = null, several_import_id = null where several_import_id = $1',
      [importId],
    )
    await client.query(
      `with traded as (
         select u.role, u.source_id, u.ref, o.item_number, o.known_on, o.event_id
           from source.undo_trader u
           join source.sale_observation o on o.source_id = u.source_id and o.seller_ref = u.ref
          where u.import_id = $1 and u.role = 'seller'
         union all
         select u.role, u.source_id, u.ref, o.item_number, o.known_on, o.event_id
           from source.undo_trader u
           join source.sale_observation o on o.source_id = u.source_id and o.buyer_ref = u.ref
          where u.import_id = $1 and u.role = 'buyer'),
       compared as (
         select traded.*, coalesce(t.item_number, first_value(traded.item_number) over (
                  partition by role, source_id, ref order by traded.known_on, event_id)) as first_item
           from traded left join source.trader t using (role, source_id, ref))
       insert into source.trader (role, source_id, ref, item_number, known_on, several_since)
       select role, source_id, ref, first_item, min(known_on), min(known_on) filter (where item_number <> first_item)
         from compared group by role, source_id, ref, first_item order by role, source_id, ref
       on conflict (role, source_id, ref) do update set several_since = excluded.several_since`,
      [importId],
    )
    await client.query('delete from source.undo_trader where import_id = $1', [importId])
    // Once more: some may have been computed before their traders were corrected.
    const { rows } = await client.query<{ item: string[] }>(
      'select array[item_kind, item_number] as item from source.undo_item where import_id = $1',
      [importId],
    )
    await requeueItems(
      client,
      rows.map(({ item }) => item),
    )
  })
}

/** Recomputes the months that were finalized with the import, oldest first: each depends on the one before. */
async function reviseMonths(db: Database, importId: number, onProgress: (done: number) => void): Promise<number> {
  const { rows: months } = await sql<{ month: string }>`
    select month from market.finalized_month m, source.import i
     where i.id = ${importId} and m.finalized_at >= i.finished_at and m.month > coalesce(i.revised_to, '-infinity')
     order by month`.execute(db)
  let revised = 0
  for (const [index, { month }] of months.entries()) {
    revised += await refinalizeMonth(db, month, `import ${importId} was undone`)
    await db.updateTable('source.import').set({ revised_to: month }).where('id', '=', importId).execute()
    onProgress(index + 1)
  }
  return revised
}

/** Refits the growth that was fitted with the import, and revalues everything if the growth or a month has changed. */
async function refitGrowth(market: MarketContext, importId: number): Promise<void> {
  const { rows } = await sql<{ fits: number; months: number }>`
    with fitted as (
      delete from source.growth_fit g using source.import i
       where i.id = ${importId} and g.fitted_on >= (i.finished_at at time zone 'utc')::date returning 1)
    select (select count(*)::integer from fitted) as fits,
           (select count(*)::integer from source.import where id = ${importId} and revised_to is not null) as months`.execute(
    market.db,
  )
  const { fits, months } = rows[0]!
  if (fits > 0) await fitGrowth(market)
  if (fits + months > 0) await queueAllItems(market.db)
}

async function endUndo(pool: pg.Pool, importId: number): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query('delete from source.undo_item where import_id = $1', [importId])
    await client.query('update source.import set undone_at = now() where id = $1', [importId])
  })
}
