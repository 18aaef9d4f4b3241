import { type Condition, CONDITIONS } from '../../catalog/condition.ts'
import { dayNumber } from '../../primitives/calendar.ts'
import type { DataTier } from '../valuation/estimate.ts'
import { median } from '../valuation/priors.ts'
import { usableSales } from '../valuation/usable-sales.ts'
import { applySimpleMethods, SIMPLE_METHOD_NAMES, type PricedSale, type SimpleMethod } from './simple-methods.ts'
import type { LiveValue } from './walk-forward.ts'

/** One item on one day: our value, the simple methods and what it sold for next. Prices are logs of cents. */
export type Score = {
  number: string
  condition: Condition
  day: number
  /** Days since release; null if the release date is unknown. */
  age: number | null
  tier: DataTier
  doubtful: boolean
  ours: number
  low: number
  high: number
  simple: Record<SimpleMethod, number>
  nextSale: number
  /** The median of the next seven days; null if they had fewer than three sales. */
  nextWeek: number | null
}

const NEXT_SALE_DAYS = 30
const WEEK_DAYS = 7
const MIN_WEEK_SALES = 3

/** Scores the values of a day. `outcomes` has everything an item ever sold for. */
export function scoreValues(
  values: readonly LiveValue[],
  day: number,
  outcomes: (number: string, condition: Condition) => readonly PricedSale[],
): Score[] {
  return values.flatMap(({ set, setWithSales, valuation }) =>
    CONDITIONS.flatMap((condition): Score[] => {
      const { valueCents, lowCents, highCents, tier, doubtful } = valuation[condition]
      if (valueCents === null) return []
      const future = outcomes(set.set_number, condition)
      const next = firstAfter(future, day)
      const nextSale = future[next]
      if (nextSale === undefined || nextSale.day > day + NEXT_SALE_DAYS) return []
      const past = usableSales(setWithSales.sales[condition], day).map((sale) => ({
        day: sale.day,
        logPrice: Math.log(sale.unitCents),
      }))
      const simple = applySimpleMethods(past, day)
      if (simple === undefined) return []
      const week: number[] = []
      for (let index = next; index < future.length && future[index]!.day <= day + WEEK_DAYS; index++)
        week.push(future[index]!.logPrice)
      return [
        {
          number: set.set_number,
          condition,
          day,
          age: set.release_date === null ? null : day - dayNumber(set.release_date),
          tier,
          doubtful,
          ours: Math.log(valueCents),
          low: Math.log(lowCents!),
          high: Math.log(highCents!),
          simple,
          nextSale: nextSale.logPrice,
          nextWeek: week.length < MIN_WEEK_SALES ? null : median(week),
        },
      ]
    }),
  )
}

/** Returns the index of the first sale after a day. */
function firstAfter(sales: readonly PricedSale[], day: number): number {
  let low = 0
  let high = sales.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sales[middle]!.day <= day) low = middle + 1
    else high = middle
  }
  return low
}

export type Target = 'nextSale' | 'nextWeek'

/** Absolute log errors of a method: the median and the mean, in percent. */
type ErrorFigures = { median: number; mean: number }

/** Our errors beside those of the simple method that turned out best, separately for the median and the mean. */
export type Comparison = {
  cases: number
  ours: ErrorFigures
  best: { median: SimpleMethod; mean: SimpleMethod }
  ratio: ErrorFigures
  simple: Record<SimpleMethod, ErrorFigures>
}

/** Compares our errors with those of the simple methods; undefined without cases. */
export function compare(scores: readonly Score[], target: Target): Comparison | undefined {
  const cases = scores.filter((score) => score[target] !== null)
  if (cases.length === 0) return undefined
  const errorsOf = (estimate: (score: Score) => number): ErrorFigures => {
    const errors = cases.map((score) => 100 * Math.abs(estimate(score) - score[target]!))
    return { median: median(errors), mean: errors.reduce((sum, error) => sum + error, 0) / errors.length }
  }
  const ours = errorsOf((score) => score.ours)
  const simple = Object.fromEntries(
    SIMPLE_METHOD_NAMES.map((name) => [name, errorsOf((score) => score.simple[name])]),
  ) as Record<SimpleMethod, ErrorFigures>
  const bestBy = (figure: keyof ErrorFigures) =>
    SIMPLE_METHOD_NAMES.reduce((best, name) => (simple[name][figure] < simple[best][figure] ? name : best))
  const best = { median: bestBy('median'), mean: bestBy('mean') }
  return {
    cases: cases.length,
    ours,
    best,
    ratio: { median: ours.median / simple[best.median].median, mean: ours.mean / simple[best.mean].mean },
    simple,
  }
}

/** Returns the percentage of next sales within the range. */
export function coverage(scores: readonly Score[]): number {
  const within = scores.filter(({ nextSale, low, high }) => nextSale >= low && nextSale <= high)
  return (100 * within.length) / scores.length
}

/** Returns the median width of the range: the ratio of its ends, as a percentage above 1. */
export function medianWidth(scores: readonly Score[]): number {
  return 100 * (Math.exp(median(scores.map(({ low, high }) => high - low))) - 1)
}

/** Returns the percentage of values that were in doubt. */
export function shareDoubtful(scores: readonly Score[]): number {
  return (100 * scores.filter(({ doubtful }) => doubtful).length) / scores.length
}

/** Returns by how much the values were typically above the next sale, in percent. */
export function bias(scores: readonly Score[]): number {
  return 100 * median(scores.map(({ ours, nextSale }) => ours - nextSale))
}
