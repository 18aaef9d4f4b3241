import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { type MarketFit, reviver } from './valuation/model-fit.ts'

/** Returns the fit of the latest finalized month up to `month` ('YYYY-MM-DD', its first day), or undefined if none. */
export async function findLatestFit(
  db: Database,
  month?: string,
): Promise<{ month: string; lessons: MarketFit } | undefined> {
  const row = await db
    .selectFrom('source.month_model')
    .select(['month', sql<string>`model::text`.as('lessons')])
    .$if(month !== undefined, (q) => q.where('month', '<=', month!))
    .orderBy('month', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && { month: row.month, lessons: JSON.parse(row.lessons, reviver) as MarketFit }
}
