import type { Database } from '../../db/database.ts'
import { replacer, type MarketFit } from '../valuation/model-fit.ts'

/** Saves the fit of a month, in place of an earlier one. */
export async function saveFit(db: Database, month: string, fit: MarketFit): Promise<void> {
  await db
    .insertInto('source.month_model')
    .values({ month, model: JSON.stringify(fit, replacer) })
    .onConflict((conflict) => conflict.column('month').doUpdateSet({ model: (row) => row.ref('excluded.model') }))
    .execute()
}
