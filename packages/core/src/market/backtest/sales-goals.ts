import type { SalesBacktest } from './sales-backtest.ts'

/** One goal: its target, the measured value and whether it is met. */
export type SalesGoal = { name: string; value: number; goal: string; pass: boolean }

/** Groups with fewer cases say too little to be judged. */
const MIN_CASES = 100
const MIN_CASES_OF_MONTH = 30
const DAYS_BEHIND = new Map([
  [1, 5],
  [0.1, 12],
  [0.03, 30],
])

/** Evaluates what values must reach on recorded sales, for each share of the sales that is kept. */
export function evaluateSalesGoals({ shares, moves }: SalesBacktest): SalesGoal[] {
  const goals: SalesGoal[] = []
  for (const { share, nextSale, nextWeek, tiers, ages, months, doubtful, coverage } of shares) {
    const kept = `${100 * share} % of sales`
    const isScarce = share === 0.1 || share === 0.03
    if (nextSale)
      goals.push(atMost(`${kept}: next sale, median error ÷ best`, nextSale.ratio.median, isScarce ? 0.97 : 1))
    if (nextWeek) goals.push(atMost(`${kept}: 7-day median, mean error ÷ best`, nextWeek.ratio.mean, 1.05))
    goals.push(between(`${kept}: coverage, percent`, coverage, 76, 85))
    for (const tier of tiers) {
      if (tier.cases < MIN_CASES) continue
      goals.push(between(`${kept}: coverage of ${tier.name}, percent`, tier.coverage, 76, 85))
      if (tier.name === 'thin' && tier.nextWeek)
        goals.push(atMost(`${kept}: 7-day median of thin, mean error ÷ best`, tier.nextWeek.ratio.mean, 1.1))
    }
    const young = ages.find(({ name }) => name === 'first 30 days')
    if (young?.nextSale)
      goals.push(atMost(`${kept}: first 30 days, median error ÷ best`, young.nextSale.ratio.median, 1.1))
    const biases = months.filter(({ cases }) => cases >= MIN_CASES_OF_MONTH).map(({ bias }) => Math.abs(bias))
    if (biases.length > 0) goals.push(atMost(`${kept}: bias of the worst month, percent`, Math.max(...biases), 3))
    goals.push(atMost(`${kept}: values in doubt, percent`, doubtful, 3))
  }
  for (const { share, moves: count, medianDays, relapses } of moves) {
    const days = DAYS_BEHIND.get(share)
    if (days === undefined || count === 0) continue
    const kept = `${100 * share} % of sales`
    goals.push(atMost(`${kept}: days behind a move of 15 % or more`, medianDays, days))
    goals.push(atMost(`${kept}: relapses after such a move`, relapses, 0))
  }
  return goals
}

function atMost(name: string, value: number, most: number): SalesGoal {
  return { name, value: round(value), goal: `<= ${most}`, pass: round(value) <= most }
}

function between(name: string, value: number, least: number, most: number): SalesGoal {
  return { name, value: round(value), goal: `${least} to ${most}`, pass: value >= least && value <= most }
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
