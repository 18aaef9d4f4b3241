import type { Condition } from '../catalog/condition.ts'
import { drawPoints, ValueLine, type ValuePoint } from '../market/values/value-line.ts'
import { lowerBound, type OwnershipInterval } from './portfolio.ts'

/** Money invested (negative) or received (positive) on a day, in cents. */
export type CashFlow = { day: number; amount: number }

/** Units bought together, with the price they were sold for and what was left of it after fees; null while held. */
export type Investment = OwnershipInterval & { gross: number | null; proceeds: number | null }

/** Units of any item, with what one of them is worth today. */
export type Holding = Pick<Investment, 'quantity' | 'unitCost' | 'from' | 'to' | 'proceeds'> & {
  unitValue: number | null
}

/**
 * Returns purchases, sales, and current lots as if sold today at their value. Omits lots whose value, cost or
 * purchase date is unknown.
 */
export function toCashFlows(holdings: Holding[], today: number): CashFlow[] {
  return holdings.flatMap(({ quantity, unitCost, from, to, proceeds, unitValue }) => {
    const out = to === null ? unitValue && quantity * unitValue : proceeds
    if (out === null || unitCost === null || from === null) return []
    return [
      { day: from, amount: -quantity * unitCost },
      { day: to ?? today, amount: out },
    ]
  })
}

const YEAR_DAYS = 365
/** Search bound for the log of annual growth: from a loss of all but a millionth to a gain of a million times. */
const MAX_LOG_GROWTH = Math.log(1e6)
const STEP = 0.05

/**
 * Returns the annual rate (0.1 is 10 %) at which the discounted cash flows sum to zero: the money-weighted return, i.e.
 * the interest rate of a savings account with the same deposits and withdrawals on the same days. With several
 * solutions, the rate closest to 0. Returns -1 if everything was lost; null if there is no solution or all flows are on
 * one day.
 */
export function xirr(flows: readonly CashFlow[]): number | null {
  // Sum by day: 10,000 lots have only a few hundred distinct days.
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
  // Halving 0.05 forty times reaches double precision.
  for (let iteration = 0; iteration < 40; iteration++) {
    const middle = (low + high) / 2
    if (balance(middle) < 0 === negativeBelow) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/**
 * Returns the time-weighted return over consecutive days, the last of which is today: the product of the daily growth
 * factors, minus 1, regardless of how much money was invested. A purchase enters at its price at the start of its day
 * (a gift, or if the price is unknown, at its value); a sale leaves at its price before fees,
 * which aren't performance of the market. A lot whose value becomes known or unknown enters or leaves at
 * its value, so that new information doesn't count as a gain. Null if nothing was held.
 */
export function timeWeightedReturn(
  investments: Investment[],
  days: number[],
  pointsOf: (setNumber: string, condition: Condition) => ValuePoint[],
): number | null {
  const dailyTotals = days.map(() => ({ value: 0, in: 0, out: 0 }))
  const line = new ValueLine(days)
  for (const lot of investments) accumulateLot(lot, line, pointsOf(lot.setNumber, lot.condition), dailyTotals)
  let growth: number | null = null
  for (let index = 1; index < dailyTotals.length; index++) {
    const day = dailyTotals[index]!
    const start = dailyTotals[index - 1]!.value + day.in
    if (start > 0) growth = ((growth ?? 1) * (day.value + day.out)) / start
  }
  return growth === null ? null : growth - 1
}

function accumulateLot(
  { quantity, unitCost, from, to, gross }: Investment,
  line: ValueLine,
  points: ValuePoint[],
  dailyTotals: { value: number; in: number; out: number }[],
): void {
  const { days, values } = line
  const today = days.length - 1
  const first = from === null ? 0 : Math.min(lowerBound(from, days), today)
  // The day of the sale, on which it isn't held any more.
  const end = to === null ? today : Math.min(lowerBound(to, days), today)
  line.start(first, end + 1)
  drawPoints(line, points)
  let before: number | null = null
  for (let index = first; index <= end; index++) {
    const day = days[index]!
    const held = to === null || index < end
    const now: number | null = held && !Number.isNaN(values[index]!) ? quantity * values[index]! : null
    const entry = dailyTotals[index]!
    if (now !== null) {
      entry.value += now
      if (before === null) entry.in += from === day && unitCost ? quantity * unitCost : now
    } else if (before !== null) entry.out += held ? before : (gross ?? before)
    else if (day === from && day === to && gross !== null) {
      // Bought and sold on the same day.
      entry.in += unitCost ? quantity * unitCost : gross
      entry.out += gross
    }
    before = now
  }
}
