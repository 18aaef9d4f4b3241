import { trueLogValue } from '../synthetic/daily-path.ts'
import { median } from '@brickmark/core/market/valuation/priors'
import { computeBaselines } from './baselines.ts'
import { jumpLimitDays, priceScatter } from './jump-limit.ts'
import { retiredItems, simulateItem, valueItem } from './item-simulation.ts'
import type { Round } from './rounds.ts'
import { observationsAsOf, type BacktestMarket, type Item } from './market.ts'

const REFLECTED_SHARE = 0.8
const LIMIT_DAYS = 120

/**
 * Days until 80 % of a jump to `factor` times the value is reflected for good, at a rate of sales per month, and the days that an ideal
 * test takes to be sure of it.
 */
export type Jump = { factor: number; salesPerMonth: number; ours: number; median6: number; limit: number }

/** Returns the median days until a jump is reflected, over 15 retired sets. */
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
    ours: median(
      items.map((item) => daysBehind(item, jumpDay, factor, (day) => valueItem(market, round, item, day).valueCents)),
    ),
    median6: median(items.map((item) => daysBehind(item, jumpDay, factor, medianByDay(market, item)))),
  }
}

/** Returns the days until the value is within a fifth of the jump for good, so that a relapse counts. */
function daysBehind(item: Item, jumpDay: number, factor: number, valueOn: (day: number) => number | null): number {
  const after = trueLogValue(item.path, 'sealed', jumpDay)
  const tolerance = (1 - REFLECTED_SHARE) * Math.abs(Math.log(factor))
  let behind = 0
  for (let days = 0; days < LIMIT_DAYS; days++) {
    const value = valueOn(jumpDay + days)
    const error = value === null ? Infinity : (after - Math.log(value)) * Math.sign(Math.log(factor))
    if (error > tolerance) behind = days + 1
  }
  return behind
}

function medianByDay(market: BacktestMarket, item: Item): (day: number) => number | null {
  return (day) => {
    const { median6 } = computeBaselines(observationsAsOf(item.sales, day, market), day)
    return median6 === null ? null : Math.exp(median6)
  }
}
