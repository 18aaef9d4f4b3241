import type { BacktestSummary } from './summary.ts'

/** One goal: its target, the measured value and whether it passed. */
export type Goal = { name: string; goal: string; value: number; pass: boolean }

const RATIO_GOALS = { sealed: 0.85, used: 0.9 }
const SEALED_50_GOAL = 0.75
const DAYS_GOALS = new Map([
  [40, 31],
  [10, 54],
  [3, 118],
])

/** Evaluates all goals. */
export function evaluateGoals(figures: BacktestSummary): Goal[] {
  const { conditions, coverageThin, manipulation, jumps } = figures
  const goals = conditions.flatMap(({ condition, all, buckets, nextSale, coverage, bias }) => [
    atMost(`true MdAPE / 6-month median, ${condition}`, all.ratio, RATIO_GOALS[condition]),
    ...buckets.map(({ sales, ratio }) =>
      atMost(`true MdAPE / 6-month median, ${condition}, ${sales} sales`, ratio, bucketGoal(condition, sales)),
    ),
    atMost(`next-sale MdAPE over an oracle, points, ${condition}`, nextSale.ours - nextSale.oracle, 0.6),
    between(`coverage of the 80 % range, percent, ${condition}`, coverage, 77, 84),
    atMost(`signed bias, percent, ${condition}`, Math.abs(bias), 1),
  ])
  goals.push(between('coverage of the 80 % range, percent, 0-2 sales', coverageThin, 74, 100))
  for (const { attack, at3to9, at10up } of manipulation) {
    if (attack === 'one seller') {
      goals.push(atMost('10 wash sales at 2x, one seller, 3-9 sales, p90 shift, percent', at3to9.ours, 10))
      goals.push(atMost('10 wash sales at 2x, one seller, 10+ sales, p90 shift, percent', at10up.ours, 1))
    }
    if (attack === 'three sellers')
      goals.push(atMost('10 wash sales at 2x, 3 colluding sellers, 3-9 sales, p90 shift, percent', at3to9.ours, 15))
  }
  for (const { salesPerMonth, ours } of jumps)
    goals.push(
      atMost(`days to 80 % of a +40 % jump, ${salesPerMonth} sales per month`, ours, DAYS_GOALS.get(salesPerMonth)!),
    )
  return goals
}

function bucketGoal(condition: string, sales: string): number {
  return condition === 'sealed' && sales === '50+' ? SEALED_50_GOAL : 1
}

function atMost(name: string, measured: number, most: number): Goal {
  const value = rounded(measured)
  return { name, goal: `<= ${most}`, value, pass: measured <= most }
}

function between(name: string, measured: number, least: number, most: number): Goal {
  const goal = most === 100 ? `>= ${least}` : `${least} to ${most}`
  return { name, goal, value: rounded(measured), pass: measured >= least && measured <= most }
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000
}
