import { z } from 'zod'
import type { Catalog } from '../../catalog/catalog.ts'
import { readAs } from '../../db/database.ts'
import { findHoldingIntervals } from '../../db/read/holding.ts'
import { cents } from '../../domain/money.ts'
import { dayNumber, dayOf, dayText } from '../../domain/month.ts'
import { daysOf, portfolioHistory, topMovers, totalsOf, type HoldingInterval } from '../../domain/portfolio.ts'
import { endpoint } from '../endpoint.ts'
import { AnalyticsShape, PeriodParameter, presentSummary, presentValuePoint } from '../shapes/analytics.ts'
import { exampleAnalytics } from '../shapes/examples.ts'
import { NoParameters } from '../shapes/parameters.ts'

/** GET /brickfolio/analytics: derived from what was held when and what it was worth, never stored. */
export const brickfolioAnalytics = endpoint({
  method: 'GET',
  path: '/brickfolio/analytics',
  operationId: 'getAnalytics',
  tag: 'Portfolio',
  summary: 'Your portfolio over time',
  description:
    'Totals, the best and the worst holding, and the value history. The past is computed from your purchases and sales: correct one and the history follows.',
  price: 1,
  params: NoParameters,
  query: z.strictObject({ period: PeriodParameter }),
  data: AnalyticsShape,
  example: exampleAnalytics,
  async handle({ catalog, db }, { query, accountId, now }) {
    const days = daysOf(query.period, dayOf(now))
    const since = dayText(days[0]!)
    const rows = await readAs(db, accountId, (as) => findHoldingIntervals(as, accountId, since))
    const intervals = rows.map((row) => ({
      setNumber: row.set_number,
      condition: row.condition,
      quantity: row.quantity,
      unitCost: cents(row.purchase_price_usd),
      from: dayNumber(row.purchase_date),
      to: row.sale_date === null ? null : dayNumber(row.sale_date),
    }))
    return {
      period: query.period,
      summary: summaryOf(intervals, catalog),
      value_history: portfolioHistory(intervals, days, (setNumber, condition) =>
        catalog.valuePoints(setNumber, condition, days[0]!, dayOf(now)),
      ).map(presentValuePoint),
    }
  },
})

function summaryOf(intervals: HoldingInterval[], catalog: Catalog) {
  const held = intervals
    .filter((interval) => interval.to === null)
    .map((interval) => ({ ...interval, cost: interval.quantity * interval.unitCost }))
  const valued = held.flatMap((lot) => {
    const value = catalog.valueOf(lot.setNumber, lot.condition)
    return value === null ? [] : [{ setNumber: lot.setNumber, cost: lot.cost, value: lot.quantity * value }]
  })
  return presentSummary(totalsOf(held, catalog.valueOf.bind(catalog)), topMovers(valued), catalog)
}
