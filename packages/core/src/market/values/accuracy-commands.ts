import type { MarketContext } from '../../db/context.ts'
import { formatDay, utcDayOf } from '../../primitives/calendar.ts'
import { measureRecentAccuracy } from '../backtest/accuracy.ts'
import { loadSalesMarket } from '../backtest/sales-market-queries.ts'

/** Accuracy shows in this many sets. */
const SAMPLE_SETS = 500
const KEPT_DAYS = 400

/**
 * Compares the values of the last 90 days with the sales that followed and with simple methods, on a sample of sets, and
 * replaces the figures of today. Values are computed again from what was known on each day; they equal those published.
 */
export async function measureAccuracy({ db, now }: MarketContext): Promise<{ groups: number }> {
  const today = utcDayOf(now())
  const day = formatDay(today)
  const { rows, worst } = measureRecentAccuracy(await loadSalesMarket(db, SAMPLE_SETS, today), today)
  await db.transaction().execute(async (transaction) => {
    for (const table of ['market.accuracy', 'market.accuracy_item'] as const) {
      await transaction.deleteFrom(table).where('day', '=', day).execute()
      await transaction
        .deleteFrom(table)
        .where('day', '<', formatDay(today - KEPT_DAYS))
        .execute()
    }
    if (rows.length > 0)
      await transaction
        .insertInto('market.accuracy')
        .values(
          rows.map((row) => ({
            day,
            condition: row.condition,
            grouped_by: row.groupedBy,
            name: row.name,
            sales: row.sales,
            median_error_pct: row.medianError,
            within_5_pct: row.within5,
            within_10_pct: row.within10,
            within_20_pct: row.within20,
            coverage_pct: row.coverage,
            width_pct: row.width,
            doubtful_pct: row.doubtful,
            simple_method: row.simpleMethod,
            simple_error_pct: row.simpleError,
          })),
        )
        .execute()
    if (worst.length > 0)
      await transaction
        .insertInto('market.accuracy_item')
        .values(
          worst.map(({ number, condition, cases, ours, simple }) => ({
            day,
            set_number: number,
            condition,
            cases,
            error_pct: ours,
            simple_error_pct: simple,
          })),
        )
        .execute()
  })
  return { groups: rows.length }
}
