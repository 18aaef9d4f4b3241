import { z } from 'zod'
import { readAtOnceAs } from '@brickmark/core/db/database'
import { findHoldingIntervals } from '@brickmark/core/portfolio/portfolio-queries'
import { dayOf, dayText } from '@brickmark/core/primitives/calendar'
import { daysOf, portfolioHistory, topMovers, totalsOf } from '@brickmark/core/portfolio/portfolio'
import { endpoint } from '../endpoint.ts'
import { AnalyticsShape, PeriodParameter, presentSummary, presentValuePoint } from '../schemas/analytics.ts'
import { exampleAnalytics } from '../schemas/examples.ts'
import { NoParameters } from '../schemas/parameters.ts'

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
    const intervals = await readAtOnceAs(db, accountId, (as) => findHoldingIntervals(as, accountId, since))
    const { history, held } = portfolioHistory(intervals, days, (setNumber, condition) =>
      catalog.valuePoints(setNumber, condition, days[0]!, dayOf(now)),
    )
    return {
      period: query.period,
      summary: presentSummary(totalsOf(held), topMovers(held), catalog),
      value_history: history.map(presentValuePoint),
    }
  },
})
