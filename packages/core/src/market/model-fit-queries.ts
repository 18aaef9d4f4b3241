import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { lastDayOfMonth, monthIndex } from '../primitives/calendar.ts'
import { type MarketFit, reviver } from './valuation/model-fit.ts'

/** Returns the fit of the latest finalized month up to `month` ('YYYY-MM-DD', its first day), or undefined if none. */
export async function findLatestFit(
  db: Database,
  month?: string,
): Promise<{ month: string; fit: MarketFit } | undefined> {
  const row = await db
    .selectFrom('source.month_model')
    .select(['month', sql<string>`model::text`.as('fit')])
    .$if(month !== undefined, (q) => q.where('month', '<=', month!))
    .orderBy('month', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const fit = JSON.parse(row.fit, reviver) as MarketFit
  // Fits of earlier versions don't say when they were made: at the end of their month.
  fit.growth.asOf ??= lastDayOfMonth(monthIndex(row.month))
  return { month: row.month, fit }
}
