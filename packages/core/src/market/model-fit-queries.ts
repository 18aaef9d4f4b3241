import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { type MarketLessons, revive } from './valuation/model-fit.ts'

/** What the last finalized month up to `month` ('YYYY-MM-DD', its first day) taught, or undefined when there is none. */
export async function findLessons(
  db: Database,
  month?: string,
): Promise<{ month: string; lessons: MarketLessons } | undefined> {
  const row = await db
    .selectFrom('source.market_lesson')
    .select(['month', sql<string>`lessons::text`.as('lessons')])
    .$if(month !== undefined, (q) => q.where('month', '<=', month!))
    .orderBy('month', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && { month: row.month, lessons: JSON.parse(row.lessons, revive) as MarketLessons }
}
