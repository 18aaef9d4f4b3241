import type { Condition } from '../catalog/condition.ts'
import type { ValuePoint } from '../market/month-series.ts'
import { type HoldingInterval, memoizeBySetAndCondition, interpolateValues } from './portfolio.ts'

/** Money that went in (negative) or came out (positive) on a day, in cents. */
export type CashFlow = { day: number; amount: number }

/** Units bought together, and what they brought when they were sold, in cents; null while they are held. */
export type Investment = HoldingInterval & { proceeds: number | null }

/** Purchases, sales, and what is held now as if it were sold today for its value. Lots without a value are left out. */
export function toCashFlows(
  investments: Investment[],
  valueOf: (setNumber: string, condition: Condition) => number | null,
  today: number,
): CashFlow[] {
  return investments.flatMap(({ setNumber, condition, quantity, unitCost, from, to, proceeds }) => {
    const value = valueOf(setNumber, condition)
    const out = to === null ? value && quantity * value : proceeds
    if (out === null) return []
    return [
      { day: from, amount: -quantity * unitCost },
      { day: to ?? today, amount: out },
    ]
  })
}

const YEAR_DAYS = 365
/** In logarithms of a year's growth: from a loss of all but a millionth to a gain of a million times. */
const MAX_LOG_GROWTH = Math.log(1e6)
const STEP = 0.05

/**
 * The yearly rate at which all flows balance out (0.1 is 10 %), each discounted by its days: money-weighted, as a
 * savings account that had taken and given the same sums on the same days. Of several the one nearest to none; -1 when
 * all was lost; null when there is none, or all of it happened on one day.
 */
export function xirr(flows: readonly CashFlow[]): number | null {
  // By day: ten thousand lots are a few hundred days.
  const days = new Map<number, number>()
  for (const { day, amount } of flows) days.set(day, (days.get(day) ?? 0) + amount)
  if (days.size < 2 || !flows.some(({ amount }) => amount < 0)) return null
  if (!flows.some(({ amount }) => amount > 0)) return -1
  const first = Math.min(...days.keys())
  const sums = Array.from(days, ([day, amount]) => ({ years: (day - first) / YEAR_DAYS, amount }))
  const balance = (growth: number) =>
    sums.reduce((sum, { years, amount }) => sum + amount * Math.exp(-growth * years), 0)
  for (let bound = STEP; bound <= MAX_LOG_GROWTH; bound += STEP) {
    const [above, below] = [bound - STEP, STEP - bound]
    if (balance(above) === 0) return Math.expm1(above)
    if (balance(above) < 0 !== balance(bound) < 0) return Math.expm1(bisect(balance, above, bound))
    if (balance(-bound) < 0 !== balance(below) < 0) return Math.expm1(bisect(balance, -bound, below))
  }
  return null
}

function bisect(balance: (growth: number) => number, low: number, high: number): number {
  const negativeBelow = balance(low) < 0
  // Half of 0.05 forty times is below what a double can tell.
  for (let iteration = 0; iteration < 40; iteration++) {
    const middle = (low + high) / 2
    if (balance(middle) < 0 === negativeBelow) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/**
 * How the things held did over some days, each day weighted alike however much money was in them: the product of the
 * days' growth, less 1. The days follow each other, the last is today. What is bought comes in for its price at the
 * beginning of its day, a gift for its value; what is sold leaves for what it brought. A lot whose value becomes known or
 * unknown on the way comes in or leaves for its value, so that knowledge is no gain. Null when nothing was held.
 */
export function timeWeightedReturn(
  investments: Investment[],
  days: number[],
  pointsOf: (setNumber: string, condition: Condition) => ValuePoint[],
): number | null {
  const dailyTotals = days.map(() => ({ value: 0, in: 0, out: 0 }))
  const valuesOf = memoizeBySetAndCondition((setNumber, condition) =>
    interpolateValues(days, pointsOf(setNumber, condition)),
  )
  for (const lot of investments) accumulateLot(lot, days, valuesOf(lot.setNumber, lot.condition), dailyTotals)
  let growth: number | null = null
  for (let index = 1; index < dailyTotals.length; index++) {
    const day = dailyTotals[index]!
    const start = dailyTotals[index - 1]!.value + day.in
    if (start > 0) growth = ((growth ?? 1) * (day.value + day.out)) / start
  }
  return growth === null ? null : growth - 1
}

function accumulateLot(
  { quantity, unitCost, from, to, proceeds }: Investment,
  days: number[],
  values: (number | null)[],
  dailyTotals: { value: number; in: number; out: number }[],
): void {
  const today = days.length - 1
  let before: number | null = null
  for (let index = 0; index < days.length; index++) {
    const day = days[index]!
    const held = index === today ? to === null : from <= day && (to === null || to > day)
    const value = values[index] ?? null
    const now: number | null = held && value !== null ? quantity * value : null
    const entry = dailyTotals[index]!
    if (now !== null) {
      entry.value += now
      if (before === null) entry.in += from === day && unitCost > 0 ? quantity * unitCost : now
    } else if (before !== null) entry.out += held ? before : (proceeds ?? before)
    before = now
  }
}
