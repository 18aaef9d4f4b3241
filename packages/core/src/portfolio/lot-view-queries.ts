import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { LotFilter } from './lot.ts'
import { lotConditions } from './lot-queries.ts'

/** Views that every collection has, as filters. */
export const LOT_VIEWS = {
  all: {},
  listed: { status: 'listed' },
  retired: { condition: 'sealed', retired: true },
  losing: { isLosing: true },
  unpriced: { hasPrice: false },
} as const satisfies Record<string, LotFilter>

/** Returns how many lots of a collection each of the views has, and the views its owner saved. */
export async function findLotViews(db: Database, accountId: number, collectionId: number) {
  const counts = Object.entries(LOT_VIEWS).map(
    ([name, filter]) =>
      sql`count(*) filter (where ${lotConditions(accountId, collectionId, { filter })}) as ${sql.ref(name)}`,
  )
  const { rows } = await sql<Record<keyof typeof LOT_VIEWS, number>>`
    select ${sql.join(counts)} from portfolio.lot_item lot
     where account_id = ${accountId} and collection_id = ${collectionId} and quantity > 0`.execute(db)
  const saved = await db
    .selectFrom('portfolio.lot_view')
    .select(['id', 'name', 'query'])
    .where('account_id', '=', accountId)
    .where('collection_id', '=', collectionId)
    .orderBy('id')
    .execute()
  return { counts: rows[0]!, saved }
}
