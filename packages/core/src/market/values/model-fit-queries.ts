import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { type MarketFit, reviver } from '../valuation/model-fit.ts'

/** Returns the fit of a month ('YYYY-MM-01'), or undefined if it has none of the kind in use. */
export async function findFit(db: Database, month: string): Promise<MarketFit | undefined> {
  const latest = await findLatestFit(db, month)
  return latest?.month === month ? latest.fit : undefined
}

/** Returns the fit of the latest finalized month up to `month` ('YYYY-MM-DD', its first day), or undefined if none. */
export async function findLatestFit(
  db: Database,
  month?: string,
): Promise<{ month: string; fit: MarketFit } | undefined> {
  const row = await db
    .selectFrom('source.month_model')
    .select(['month', sql<string>`model::text`.as('fit')])
    // Fits of the model before this one have other parameters.
    .where(sql<boolean>`model -> 'sets' ? 'dynamics'`)
    .$if(month !== undefined, (q) => q.where('month', '<=', month!))
    .orderBy('month', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return { month: row.month, fit: JSON.parse(row.fit, reviver) as MarketFit }
}
