import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { LotFilter } from './lot.ts'
import { lotConditions } from './lot-queries.ts'

/** Returns how many lots of a collection match each filter, and the views its owner saved. */
export async function findLotViews(db: Database, accountId: number, collectionId: number, filters: LotFilter[]) {
  const counts = filters.map(
    (filter) => sql`(count(*) filter (where ${lotConditions(accountId, collectionId, { filter })}))::integer`,
  )
  const { rows } = await sql<{ counts: number[] }>`
    select array[${sql.join(counts)}] as counts from portfolio.lot_item lot
     where account_id = ${accountId} and collection_id = ${collectionId} and quantity > 0`.execute(db)
  const saved = await db
    .selectFrom('portfolio.lot_view')
    .select(['id', 'name', 'query'])
    .where('account_id', '=', accountId)
    .where('collection_id', '=', collectionId)
    .orderBy('id')
    .execute()
  return { counts: rows[0]!.counts, saved }
}
