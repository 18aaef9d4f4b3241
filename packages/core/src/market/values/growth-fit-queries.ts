import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { MarketGrowth } from '../valuation/growth.ts'
import { reviver } from '../valuation/model-fit.ts'

/** Returns the latest growth that was fitted at night; undefined if there is none. */
export async function findLatestGrowth(db: Database): Promise<MarketGrowth | undefined> {
  const row = await db
    .selectFrom('source.growth_fit')
    .select(sql<string>`growth::text`.as('growth'))
    .orderBy('fitted_on', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && (JSON.parse(row.growth, reviver) as MarketGrowth)
}
