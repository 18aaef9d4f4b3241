import { sql } from 'kysely'
import { alertOnChanges } from '@brickmark/core/alert/alert-commands'
import type { Database } from '@brickmark/core/db/database'

const MAX_BATCHES = 1000

/** Counts the committed changes to which alert rules haven't been applied. */
export async function countUnreadChanges(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from change.change, change.cursor
     where (change.transaction_id, change.id) > (cursor.transaction_id, cursor.change_id)`.execute(db)
  return rows[0]!.count
}

/**
 * Applies alert rules until every committed change has been read, and returns the number of alerts. A change becomes
 * readable once all earlier transactions have ended, so a batch may be empty although changes are left.
 */
export async function applyAlertRules(db: Database): Promise<number> {
  let alerts = 0
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    alerts += (await alertOnChanges(db))?.alerts ?? 0
    if ((await countUnreadChanges(db)) === 0) return alerts
  }
  throw new Error(`There are still changes after ${MAX_BATCHES} batches.`)
}

/** Puts the first sets in stock at a retailer, all at the same price, and returns their numbers. */
export async function resetPrices(db: Database, sets: number, cents: number): Promise<string[]> {
  const { rows } = await sql<{ set_number: string }>`
    update market.retail_state set price_cents = ${cents}, in_stock = true
     where retailer = 'retailer_a' and set_number in (
       select set_number from market.retail_state where retailer = 'retailer_a' order by 1 limit ${sets})
    returning set_number`.execute(db)
  return rows.map((row) => row.set_number)
}
