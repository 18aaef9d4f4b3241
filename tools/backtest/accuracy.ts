import { trueLogValue } from '../synthetic/daily-path.ts'
import type { Condition } from '../synthetic/types.ts'
import type { EstimateInput, Valuation } from '@brickmark/core/market/valuation/estimate'
import { median } from '@brickmark/core/market/valuation/priors'
import { BASELINES, computeBaselines, type BaselineName, type Baselines } from './baselines.ts'
import type { SetValuation } from './rounds.ts'
import { attributesKnownOn, type Item } from './market.ts'

const NEXT_SALE_DAYS = 60

/** One item at one origin: our value, the baselines, the true value and the next sales. All are logs of cents. */
export type Score = Baselines & {
  condition: Condition
  day: number
  /** Whether a retailer still sells it, at a known price. */
  onShelf: boolean
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
  const score: Score = {
    ...computeBaselines(input.sales, input.asOf),
    condition: item.condition,
    day: input.asOf,
    onShelf: attributesKnownOn(item, input.asOf).retailCents !== null,
    ours: Math.log(valuation.valueCents),
    low: Math.log(valuation.lowCents!),
    high: Math.log(valuation.highCents!),
    truth: trueLogValue(item.path, item.condition, input.asOf),
    nextGenuine: genuine === undefined ? null : Math.log(genuine.unitCents),
    nextRecorded: upcoming[0] === undefined ? null : Math.log(upcoming[0].unitCents),
  }
  return score
}

/** Returns the median absolute percentage error of log estimates; pairs with a null are skipped. */
function mdape(pairs: readonly (readonly [estimate: number | null, actual: number | null])[]): number {
  const errors = pairs.flatMap(([estimate, actual]) =>
    estimate === null || actual === null ? [] : [Math.abs(Math.exp(estimate - actual) - 1)],
  )
  return errors.length === 0 ? NaN : 100 * median(errors)
}

export type Accuracy = Record<'ours' | BaselineName, number> & { cases: number; best: BaselineName; ratio: number }

/** Returns the MdAPE of every method against the true value, over the cases that have a sale in the last six months. */
export function computeAccuracy(scores: readonly Score[]): Accuracy {
  const cases = scores.filter((score) => score.median6 !== null)
  const against = (method: 'ours' | BaselineName) => mdape(cases.map((score) => [score[method], score.truth]))
  const errors = Object.fromEntries(BASELINES.map((name) => [name, against(name)])) as Record<BaselineName, number>
  const best = BASELINES.reduce((best, name) => (errors[name] < errors[best] ? name : best))
  const ours = against('ours')
  return { cases: cases.length, ours, ...errors, best, ratio: ours / errors[best] }
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

/** Returns the MdAPE of sets on the shelf with at most two sales; NaN in markets without retail prices. */
export function shelfError(scores: readonly Score[]): number {
  return mdape(scores.filter(({ onShelf, sales }) => onShelf && sales <= 2).map(({ ours, truth }) => [ours, truth]))
}

/** Returns the percentage of next sales within the range. */
export function coverage(scores: readonly Score[], next: 'nextGenuine' | 'nextRecorded'): number {
  const cases = scores.filter((score) => score[next] !== null)
  const within = cases.filter((score) => score[next]! >= score.low && score[next]! <= score.high)
  return (100 * within.length) / cases.length
}

/** Returns the median signed error in percent. */
export function bias(scores: readonly Score[]): number {
  return 100 * median(scores.map(({ ours, truth }) => ours - truth))
}

/** The bias of the month with the largest one. */
export type WorstBias = {
  ours: number
  /** What an estimator without bias would show: the expected largest of as many months with as many sets. */
  byChance: number
}

/** Returns the bias of the month with the largest one, and what to expect of it. */
export function worstBias(scores: readonly Score[]): WorstBias {
  const months = [...Map.groupBy(scores, ({ day }) => day).values()]
  const errors = months.map((month) => medianError(month.map((score) => score.ours - score.truth)))
  return {
    ours: months.map(bias).reduce((worst, one) => (Math.abs(one) > Math.abs(worst) ? one : worst), 0),
    byChance: 100 * median(errors) * EXPECTED_LARGEST_OF[Math.min(months.length, 12)]!,
  }
}

/** The expected largest absolute value of 0, 1, 2 … standard normal variables. */
const EXPECTED_LARGEST_OF = [0, 0.8, 1.13, 1.33, 1.46, 1.57, 1.65, 1.72, 1.78, 1.84, 1.88, 1.93, 1.97]

const MAD_TO_SD = 1.4826

/** Returns the standard error of the median of independent, roughly normal values. */
function medianError(values: readonly number[]): number {
  const middle = median(values)
  const sd = MAD_TO_SD * median(values.map((value) => Math.abs(value - middle)))
  return sd * Math.sqrt(Math.PI / 2 / values.length)
}
