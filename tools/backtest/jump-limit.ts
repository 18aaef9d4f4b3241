import { trueLogValue } from '../synthetic/daily-path.ts'
import type { BacktestMarket } from './market.ts'

/**
 * The theoretical limit of detecting a jump. A sequential test that knows the values before and after the jump, and how
 * prices scatter around a value in this market, needs ln(1 / errors) ÷ D sales on average, where D is the relative entropy
 * of the two distributions of prices (Wald). It sees neither who trades nor when; an estimator that does can be faster.
 */

/** One unnecessary move in a thousand. */
const FALSE_MOVES = 0.001
const BIN = 0.05
const BINS = 160
/** Added to every bin, so that a price never seen doesn't decide alone. */
const SMOOTHING = 0.5
const DAYS_PER_MONTH = 30.4

/** Returns the days that the test takes on average, at a rate of sales per month. */
export function jumpLimitDays(scatter: Float64Array, factor: number, salesPerMonth: number): number {
  const shift = Math.round(Math.log(factor) / BIN)
  let entropy = 0
  for (let bin = 0; bin < BINS; bin++) {
    const before = scatter[bin]!
    const after = scatter[bin - shift] ?? scatter[shift > 0 ? 0 : BINS - 1]!
    entropy += after * Math.log(after / before)
  }
  return (Math.log(1 / FALSE_MOVES) / entropy / salesPerMonth) * DAYS_PER_MONTH
}

/** Returns how recorded prices of sealed sets scatter around the true value: the share of each bin of log ratios. */
export function priceScatter({ pairs }: BacktestMarket): Float64Array {
  const counts = new Float64Array(BINS).fill(SMOOTHING)
  for (const { sealed } of pairs) {
    const { firstDay } = sealed.path
    for (const { day, unitCents, flag } of sealed.sales) {
      // Some fakes are dated a few days beyond the simulation.
      const isSimulated = day >= firstDay && day < firstDay + sealed.path.sealed.length
      if (flag !== null || !isSimulated) continue
      const ratio = Math.log(unitCents) - trueLogValue(sealed.path, 'sealed', day)
      counts[Math.min(BINS - 1, Math.max(0, Math.round(ratio / BIN) + BINS / 2))]!++
    }
  }
  const total = counts.reduce((sum, count) => sum + count, 0)
  return counts.map((count) => count / total)
}
