import type { Database } from '../../db/database.ts'
import { replacer, type MarketFit } from '../valuation/model-fit.ts'

export async function saveFit(db: Database, month: string, fit: MarketFit): Promise<void> {
  await db
    .insertInto('source.month_model')
    .values({ month, model: JSON.stringify(fit, replacer) })
    .execute()
}
