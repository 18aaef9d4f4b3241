import { median } from '../valuation/priors.ts'

/** A sale as the simple methods see it: its day and log price. */
export type PricedSale = { day: number; logPrice: number }

const HALF_LIFE_DAYS = 60
/** Older sales are ignored by every simple method. */
const SIMPLE_METHOD_DAYS = 400

type Method = (sales: readonly PricedSale[], asOf: number) => number

const logPrices = (sales: readonly PricedSale[]) => sales.map(({ logPrice }) => logPrice)
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const medianOfLast =
  (count: number): Method =>
  (sales) =>
    median(logPrices(sales.slice(-count)))
const meanOfLast =
  (count: number): Method =>
  (sales) =>
    mean(logPrices(sales.slice(-count)))

/** The median of the last days; the last sale if they had none. */
const medianOfDays =
  (days: number): Method =>
  (sales, asOf) => {
    const recent = sales.filter(({ day }) => day > asOf - days)
    return recent.length === 0 ? sales.at(-1)!.logPrice : median(logPrices(recent))
  }

const weightedMean: Method = (sales, asOf) => {
  let sum = 0
  let total = 0
  for (const { day, logPrice } of sales) {
    const weight = 2 ** ((day - asOf) / HALF_LIFE_DAYS)
    sum += weight * logPrice
    total += weight
  }
  return sum / total
}

/** What anybody could compute from the same sales. Each method takes at least one sale, oldest first. */
const SIMPLE_METHODS = {
  'last sale': (sales) => sales.at(-1)!.logPrice,
  'median of 5': medianOfLast(5),
  'mean of 5': meanOfLast(5),
  'median of 10': medianOfLast(10),
  'mean of 10': meanOfLast(10),
  'median of 30': medianOfLast(30),
  'mean of 30': meanOfLast(30),
  'median of 30 days': medianOfDays(30),
  'median of 90 days': medianOfDays(90),
  'median of 180 days': medianOfDays(180),
  'weighted mean, 60 days': weightedMean,
} satisfies Record<string, Method>

export type SimpleMethod = keyof typeof SIMPLE_METHODS

export const SIMPLE_METHOD_NAMES = Object.keys(SIMPLE_METHODS) as SimpleMethod[]

/** Applies every simple method to the sales of the last 400 days; undefined without any. */
export function applySimpleMethods(
  sales: readonly PricedSale[],
  asOf: number,
): Record<SimpleMethod, number> | undefined {
  const recent = sales.filter(({ day }) => day > asOf - SIMPLE_METHOD_DAYS)
  if (recent.length === 0) return undefined
  return Object.fromEntries(SIMPLE_METHOD_NAMES.map((name) => [name, SIMPLE_METHODS[name](recent, asOf)])) as Record<
    SimpleMethod,
    number
  >
}
