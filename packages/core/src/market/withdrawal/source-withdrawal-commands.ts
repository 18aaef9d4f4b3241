import { sql } from 'kysely'
import type pg from 'pg'
import type { MarketContext } from '../../db/context.ts'
import type { Database } from '../../db/database.ts'
import { lastDayOfMonth, formatDay, monthIndex } from '../../primitives/calendar.ts'
import { deleteSourceProducts, deleteSourceRest, deleteSourceRows } from '../../source/source-row-commands.ts'
import { invalidateExports } from '../../source/export-validity-commands.ts'
import { reapplySource } from '../../source/source-commands.ts'
import { refreshRetail } from '../retail/retail-refresh-commands.ts'
import { deleteRetailStates } from '../retail/retail-state-commands.ts'
import { WINDOW_DAYS } from '../valuation/usable-sales.ts'
import { reviseMonth } from '../values/month-revision-commands.ts'

export type WithdrawalResult = { revisedValues: number; deleted: Record<string, number> }

export type WithdrawalProgress = (step: 'months' | 'rows', done: number) => void

/**
 * Withdraws a source. From the first step on, nothing of it counts or is shown and no more of its rows are accepted. Then
 * finalized months that it fed are revised, with a log, and its rows are deleted. A run that was interrupted
 * continues when it is started again.
 */
export async function withdrawSource(
  market: MarketContext,
  source: string,
  onProgress: WithdrawalProgress = () => {},
): Promise<WithdrawalResult> {
  const { pool, db } = market
  await markWithdrawn(pool, source)
  await reapplySource(pool, source)
  // Months are revised with the retail prices that are left.
  while ((await refreshRetail(market)) > 0);
  const revisedValues = await reviseMonths(db, source, onProgress)
  const deleted = await deleteSourceRows(pool, source, { onProgress: (done) => onProgress('rows', done) })
  await deleteSourceRest(pool, source)
  await db.transaction().execute(async (transaction) => {
    await deleteRetailStates(transaction, await deleteSourceProducts(transaction, source))
  })
  await invalidateExports(pool)
  await pool.query('update source.withdrawal set finished_at = now() where source_id = $1', [source])
  return { revisedValues, deleted }
}

async function markWithdrawn(pool: pg.Pool, source: string): Promise<void> {
  const { rowCount } = await pool.query(
    `with marked as (
       update source.source set withdrawn_at = coalesce(withdrawn_at, now()) where id = $1 returning id)
     insert into source.withdrawal (source_id) select id from marked
     on conflict (source_id) do update set finished_at = null`,
    [source],
  )
  if (rowCount === 0) throw new Error(`There is no source ${source}.`)
}

/** Revises the months that the source fed, oldest first, and remembers each. */
async function reviseMonths(db: Database, source: string, onProgress: WithdrawalProgress): Promise<number> {
  const { rows: months } = await sql<{ month: string }>`
    select month from market.finalized_month
     where month > coalesce((select revised_to from source.withdrawal where source_id = ${source}), '-infinity')
     order by month`.execute(db)
  let revised = 0
  for (const [index, { month }] of months.entries()) {
    const numbers = await findSetsFedBy(db, source, lastDayOfMonth(monthIndex(month)))
    if (numbers.length > 0) revised += await reviseMonth(db, month, numbers, `source ${source} was withdrawn`)
    await sql`update source.withdrawal set revised_to = ${month} where source_id = ${source}`.execute(db)
    onProgress('months', index + 1)
  }
  return revised
}

/** Sets whose value on a day rested on the source: its sales, its retail prices, or its list price, theme and dates. */
async function findSetsFedBy(db: Database, source: string, day: number): Promise<string[]> {
  const [from, to] = [formatDay(day - WINDOW_DAYS + 1), formatDay(day)]
  const { rows } = await sql<{ set_number: string }>`
    select item_number as set_number from source.sale_observation
     where source_id = ${source} and item_kind = 'set' and sold_on between ${from} and ${to}
     union
    select set_number from source.retail_observation join source.retail_product using (retailer, product_id)
     where retail_observation.source_id = ${source} and observed_at between ${from} and ${to}
     union
    select set_number from source.set_claim
     where source_id = ${source} and num_nonnulls(msrp_cents, theme, release_date, retire_date) > 0
     order by 1`.execute(db)
  return rows.map((row) => row.set_number)
}
