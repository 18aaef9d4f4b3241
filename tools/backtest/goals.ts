import type { MarketName } from '../synthetic/market-shape.ts'
import type { BacktestSummary } from './summary.ts'

/** One goal: its target, the measured value and whether it passed. */
export type Goal = { name: string; goal: string; value: number; pass: boolean }

const DAYS_GOALS = new Map([
  [100, 5],
  [10, 31],
  [3, 90],
])

/** Evaluates all goals. Values must beat the best simple method of the same market. */
export function evaluateGoals(market: MarketName, summary: BacktestSummary): Goal[] {
  const { conditions, coverageThin, manipulation, jumps, targeted } = summary
  const goals = conditions.flatMap(({ condition, all, coverage }) => [
    atMost(`true MdAPE / best baseline, ${condition}`, all.ratio, market === 'base' ? 0.8 : 0.95),
    between(`coverage of the 80 % range, percent, ${condition}`, coverage, 76, 85),
  ])
  goals.push(between('coverage of the 80 % range, percent, 0-2 sales', coverageThin, 72, 100))
  for (const { attack, at3to9, at10up } of manipulation) {
    if (attack === 'one seller') {
      goals.push(atMost('10 wash sales at 2x, one seller, 3-9 sales, p90 shift, percent', at3to9.ours, 10))
      goals.push(atMost('10 wash sales at 2x, one seller, 10+ sales, p90 shift, percent', at10up.ours, 2))
    }
    if (attack === 'three sellers')
      goals.push(atMost('10 wash sales at 2x, 3 colluding sellers, 3-9 sales, p90 shift, percent', at3to9.ours, 15))
  }
  for (const { factor, salesPerMonth, ours } of jumps) {
    const name = `days to 80 % of a jump to ${100 * factor} %, ${salesPerMonth} sales per month`
    goals.push(atMost(name, ours, DAYS_GOALS.get(salesPerMonth)!))
  }
  goals.push(
    atMost('slow walk by one seller, six months, p90 shift, percent', 100 * targeted.slowWalk, 12),
    atMost('10 wash sales at 2x, six sellers, p90 shift, percent', 100 * targeted.sixSellers, 20),
    atMost('10 wash sales at 2x, anonymous, p90 shift, percent', 100 * targeted.anonymous, 20),
    atMost(
      'first value, 10 fakes at 3x by 3 new sellers, share with tier market, percent',
      100 * targeted.firstValue.marketTier,
      0,
    ),
    between(
      'first value, share whose range covers the prior, percent',
      100 * targeted.firstValue.coversPrior,
      100,
      100,
    ),
  )
  return goals
}

function atMost(name: string, measured: number, most: number): Goal {
  return { name, goal: `<= ${most}`, value: rounded(measured), pass: measured <= most }
}

function between(name: string, measured: number, least: number, most: number): Goal {
  const goal = most === 100 ? `>= ${least}` : `${least} to ${most}`
  return { name, goal, value: rounded(measured), pass: measured >= least && measured <= most }
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000
}
