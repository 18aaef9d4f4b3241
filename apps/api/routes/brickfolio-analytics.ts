import { z } from 'zod'
import { findOwnershipIntervals } from '@brickmark/core/portfolio/portfolio-queries'
import { utcDayOf, formatDay } from '@brickmark/core/primitives/calendar'
import { chartDays, portfolioHistory, topMovers } from '@brickmark/core/portfolio/portfolio'
import { sumTotals } from '@brickmark/core/portfolio/portfolio-totals'
import { defineEndpoint } from '../endpoint.ts'
import { AnalyticsSchema, PeriodParam, serializeSummary, serializeValuePoint } from '../schemas/analytics.ts'
import { exampleAnalytics } from '../schemas/examples.ts'
import { EmptyParams } from '../schemas/parameters.ts'

/** GET /brickfolio/analytics: computed from ownership intervals and historical values, never stored. */
export const brickfolioAnalytics = defineEndpoint({
  method: 'GET',
  path: '/brickfolio/analytics',
  operationId: 'getAnalytics',
  tag: 'Portfolio',
  readsAccountData: true,
  summary: 'Get portfolio analytics',
  description:
    'Returns totals, your top gainer and loser, and value history. History is derived from your purchases and sales, so corrections apply retroactively.',
  cost: 1,
  params: EmptyParams,
  query: z.strictObject({ period: PeriodParam }),
  data: AnalyticsSchema,
  example: exampleAnalytics,
  async handle({ catalog, db }, { query, accountId, now }) {
    const today = utcDayOf(now)
    const days = chartDays(query.period, today)
    const since = formatDay(days[0]!)
    const intervals = await findOwnershipIntervals(db, accountId, since)
    const { history, held } = portfolioHistory(intervals, days, (line, setNumber, condition) =>
      catalog.drawUnitValue(line, setNumber, condition, today),
    )
    return {
      period: query.period,
      summary: serializeSummary(sumTotals(held), topMovers(held), catalog),
      value_history: history.map(serializeValuePoint),
    }
  },
})
