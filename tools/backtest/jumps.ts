import { trueLogValue } from '../synthetic/daily-path.ts'
import { median } from '@brickmark/core/market/valuation/priors'
import { computeBaselines } from './baselines.ts'
import { jumpLimitDays, priceScatter } from './jump-limit.ts'
import { retiredItems, simulateItem, valueDaily } from './item-simulation.ts'
import type { Round } from './rounds.ts'
import { observationsAsOf, type BacktestMarket, type Item } from './market.ts'

const REFLECTED_SHARE = 0.8
const LIMIT_DAYS = 180

/**
 * Days until 80 % of a jump to `factor` times the value is reflected, at a rate of sales per month, and the days that an ideal
 * test takes to be sure of it.
 */
export type Jump = { factor: number; salesPerMonth: number; ours: number; median6: number; limit: number }

/** Returns the median days until a jump is reflected, over 30 retired sets. */
export function measureJump(
  market: BacktestMarket,
  round: Round,
  { factor, salesPerMonth, seed }: { factor: number; salesPerMonth: number; seed: number },
): Jump {
  const jumpDay = round.day + 1
  const items = retiredItems(market, jumpDay).map((item) =>
    simulateItem(market, item, {
      label: `jump ${factor} ${seed}`,
      rate: salesPerMonth,
      fromDay: jumpDay,
      days: LIMIT_DAYS,
      factor,
    }),
  )
  return {
    factor,
    salesPerMonth,
    limit: jumpLimitDays(priceScatter(market), factor, salesPerMonth),
    ours: median(items.map((item) => daysUntilReflected(item, jumpDay, factor, valueDaily(market, round, item)))),
    median6: median(items.map((item) => daysUntilReflected(item, jumpDay, factor, medianByDay(market, item)))),
  }
}

function daysUntilReflected(
  item: Item,
  jumpDay: number,
  factor: number,
  valueOn: (day: number) => number | null,
): number {
  const before = Math.exp(trueLogValue(item.path, 'sealed', jumpDay - 1))
  const reflected = before * (1 + REFLECTED_SHARE * (factor - 1))
  for (let day = jumpDay; day < jumpDay + LIMIT_DAYS; day++) {
    const value = valueOn(day)
    if (value !== null && (factor > 1 ? value >= reflected : value <= reflected)) return day - jumpDay
  }
  return LIMIT_DAYS
}

function medianByDay(market: BacktestMarket, item: Item): (day: number) => number | null {
  return (day) => {
    const { median6 } = computeBaselines(observationsAsOf(item.sales, day, market), day)
    return median6 === null ? null : Math.exp(median6)
  }
}
