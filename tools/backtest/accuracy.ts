import { trueLogValue } from '../synthetic/daily-path.ts'
import type { Condition } from '../synthetic/types.ts'
import type { EstimateInput, Valuation } from '@brickmark/core/market/valuation/estimate'
import { median } from '@brickmark/core/market/valuation/priors'
import { computeBaselines, type Baselines } from './baselines.ts'
import type { SetValuation } from './rounds.ts'
import type { Item } from './market.ts'

const NEXT_SALE_DAYS = 60

/** One item at one origin: our value, the baselines, the true value and the next sales. All are logs of cents. */
export type Score = Baselines & {
  condition: Condition
  ours: number
  low: number
  high: number
  truth: number
  /** The next genuine sale of this item in this condition, and the next row as recorded, genuine or not. */
  nextGenuine: number | null
  nextRecorded: number | null
}

export const BUCKETS = [
  { name: '0-2', min: 0, max: 2 },
  { name: '3-9', min: 3, max: 9 },
  { name: '10-49', min: 10, max: 49 },
  { name: '50+', min: 50, max: Infinity },
] as const

/** Scores the valuation of one set, in each condition that has a value. */
export function scoreValuations({ pair, input, valuation }: SetValuation): Score[] {
  return (['sealed', 'used'] as const).flatMap(
    (condition) => scoreItem(pair[condition], input[condition], valuation[condition]) ?? [],
  )
}

function scoreItem(item: Item, input: EstimateInput, valuation: Valuation): Score | undefined {
  if (valuation.valueCents === null) return undefined
  const upcoming = item.sales
    .filter(({ day, flag }) => flag === null && day > input.asOf && day <= input.asOf + NEXT_SALE_DAYS)
    .sort((a, b) => a.day - b.day)
  const genuine = upcoming.find((sale) => sale.label === 'genuine')
  return {
    ...computeBaselines(input.sales, input.asOf),
    condition: item.condition,
    ours: Math.log(valuation.valueCents),
    low: Math.log(valuation.lowCents!),
    high: Math.log(valuation.highCents!),
    truth: trueLogValue(item.path, item.condition, input.asOf),
    nextGenuine: genuine === undefined ? null : Math.log(genuine.unitCents),
    nextRecorded: upcoming[0] === undefined ? null : Math.log(upcoming[0].unitCents),
  }
}

/** Returns the median absolute percentage error of log estimates; pairs with a null are skipped. */
function mdape(pairs: readonly (readonly [estimate: number | null, actual: number | null])[]): number {
  const errors = pairs.flatMap(([estimate, actual]) =>
    estimate === null || actual === null ? [] : [Math.abs(Math.exp(estimate - actual) - 1)],
  )
  return errors.length === 0 ? NaN : 100 * median(errors)
}

export type Accuracy = Record<'ours' | 'lastSale' | 'mean6' | 'median6', number> & { cases: number; ratio: number }

/** Returns the MdAPE of every method against the true value, over the cases that have a six-month median. */
export function computeAccuracy(scores: readonly Score[]): Accuracy {
  const cases = scores.filter((score) => score.median6 !== null)
  const against = (method: 'ours' | 'lastSale' | 'mean6' | 'median6') =>
    mdape(cases.map((score) => [score[method], score.truth]))
  const errors = {
    ours: against('ours'),
    lastSale: against('lastSale'),
    mean6: against('mean6'),
    median6: against('median6'),
  }
  return { cases: cases.length, ...errors, ratio: errors.ours / errors.median6 }
}

/** Returns the MdAPE against the next genuine sale, including that of an oracle that knows the true value. */
export function nextSaleErrors(scores: readonly Score[]): { ours: number; median6: number; oracle: number } {
  const cases = scores.filter((score) => score.median6 !== null)
  return {
    ours: mdape(cases.map((score) => [score.ours, score.nextGenuine])),
    median6: mdape(cases.map((score) => [score.median6, score.nextGenuine])),
    oracle: mdape(cases.map((score) => [score.truth, score.nextGenuine])),
  }
}

/** Returns the percentage of next sales within the range. */
export function coverage(scores: readonly Score[], next: 'nextGenuine' | 'nextRecorded'): number {
  const cases = scores.filter((score) => score[next] !== null)
  const within = cases.filter((score) => score[next]! >= score.low && score[next]! <= score.high)
  return (100 * within.length) / cases.length
}

/** Returns the median signed error in percent. */
export function bias(scores: readonly Score[]): number {
  return 100 * median(scores.map((score) => score.ours - score.truth))
}
