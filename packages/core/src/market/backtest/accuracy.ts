import { type Condition, CONDITIONS } from '../../catalog/condition.ts'
import { formatDay, monthIndex } from '../../primitives/calendar.ts'
import { median } from '../valuation/priors.ts'
import { indexOutcomes, type SalesMarket } from './sales-market.ts'
import { coverage, medianWidth, scoreValues, shareDoubtful, type Score } from './scores.ts'
import type { SimpleMethod } from './simple-methods.ts'
import { walkForward } from './walk-forward.ts'
import { worstItems, type WorstItem } from './worst-items.ts'

/** How accurate the values of a group were, in percent. */
type AccuracyRow = {
  condition: Condition
  groupedBy: 'all' | 'tier' | 'theme'
  name: string
  sales: number
  medianError: number
  within5: number
  within10: number
  within20: number
  coverage: number
  width: number
  doubtful: number
  simpleMethod: SimpleMethod
  simpleError: number
}

export type Accuracy = { rows: AccuracyRow[]; worst: WorstItem[] }

/** Values are compared with these, on the same sales. */
const METHODS = ['last sale', 'median of 10', 'median of 90 days'] as const satisfies SimpleMethod[]
const WEEKS = 13
const WEEK = 7
/** Months fitted before the first compared week; by then, the fit no longer depends on where it started. */
const FITTED_MONTHS = 3
const MIN_SALES = 30
const MIN_CASES_OF_ITEM = 3

/** Values sets as they were known each week of the last 90 days, and compares the values with the next sale. */
export function measureRecentAccuracy(market: SalesMarket, today: number): Accuracy {
  const outcomesFor = indexOutcomes(market)
  const days = Array.from({ length: WEEKS }, (_, index) => today - (WEEKS - index) * WEEK)
  const firstMonth = monthIndex(formatDay(days[0]!)) - FITTED_MONTHS
  const scores: Score[] = []
  for (const { day, values } of walkForward(market, days, { firstMonth }))
    scores.push(...scoreValues(values, day, outcomesFor))
  const themes = new Map(market.sets.map(({ set_number, theme }) => [set_number, theme]))
  const rows = CONDITIONS.flatMap((condition) => {
    const own = scores.filter((score) => score.condition === condition)
    const rowsBy = (groupedBy: AccuracyRow['groupedBy'], nameOf: (score: Score) => string) =>
      [...Map.groupBy(own, nameOf)]
        .filter(([, group]) => group.length >= MIN_SALES)
        .map(([name, group]) => ({ condition, groupedBy, name, ...figuresOf(group) }))
    return [
      ...rowsBy('all', () => 'all'),
      ...rowsBy('tier', ({ tier }) => tier),
      ...rowsBy('theme', ({ number }) => themes.get(number)!),
    ]
  })
  return { rows, worst: worstItems(scores, { minCases: MIN_CASES_OF_ITEM }) }
}

function figuresOf(scores: readonly Score[]) {
  const errorsOf = (estimate: (score: Score) => number) =>
    scores.map((score) => 100 * Math.abs(Math.exp(estimate(score) - score.nextSale) - 1))
  const errors = errorsOf(({ ours }) => ours)
  const within = (percent: number) => (100 * errors.filter((error) => error <= percent).length) / errors.length
  const simple = METHODS.map((method) => ({ method, error: median(errorsOf((score) => score.simple[method])) }))
  const best = simple.reduce((best, one) => (one.error < best.error ? one : best))
  return {
    sales: scores.length,
    medianError: median(errors),
    within5: within(5),
    within10: within(10),
    within20: within(20),
    coverage: coverage(scores),
    width: medianWidth(scores),
    doubtful: shareDoubtful(scores),
    simpleMethod: best.method,
    simpleError: best.error,
  }
}
