import { sql } from 'kysely'
import { alertOnChanges } from '@brickmark/core/alert/alert-commands'
import type { Database } from '@brickmark/core/db/database'

const MAX_BATCHES = 1000

/**
 * Applies alert rules until every committed change has been read, and returns the number of alerts. A change becomes
 * readable once all earlier transactions have ended, so a batch may be empty although changes are left.
 */
export async function applyAlertRules(db: Database): Promise<number> {
  let alerts = 0
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    alerts += (await alertOnChanges(db))?.alerts ?? 0
    const { rows } = await sql<{ left: number }>`
      select count(*) as left from feed.change, feed.cursor
       where (change.transaction_id, change.id) > (cursor.transaction_id, cursor.change_id)`.execute(db)
    if (rows[0]!.left === 0) return alerts
  }
  throw new Error(`There are still changes after ${MAX_BATCHES} batches.`)
}
