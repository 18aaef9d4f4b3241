import { sql } from 'kysely'
import type { MarketContext } from '../../db/context.ts'
import { formatDay, utcDayOf } from '../../primitives/calendar.ts'
import { loadMarketSample } from './market-sample-queries.ts'
import { createBatchReader } from './sale-store-queries.ts'
import { replacer } from '../valuation/model-fit.ts'

const KEPT_DAYS = 10

/** Fits the growth of the market up to today, for the values of the next day. */
export async function fitGrowth({ db, now }: MarketContext): Promise<{ sets: number }> {
  const today = utcDayOf(now())
  const { sample, sets } = await loadMarketSample(db, createBatchReader(db), { asOf: today, knownOn: today })
  const growth = sample.fitGrowth()
  await db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('source.growth_fit')
      .values({ fitted_on: formatDay(today), growth: JSON.stringify(growth, replacer) })
      .onConflict((conflict) => conflict.column('fitted_on').doUpdateSet({ growth: sql`excluded.growth` }))
      .execute()
    await transaction
      .deleteFrom('source.growth_fit')
      .where('fitted_on', '<=', formatDay(today - KEPT_DAYS))
      .execute()
  })
  return { sets }
}
