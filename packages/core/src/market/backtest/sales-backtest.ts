import { formatDay } from '../../primitives/calendar.ts'
import { median } from '../valuation/priors.ts'
import { findMoves, measureLags, type Move } from './moves.ts'
import { daysOfSales, indexOutcomes, keepShare, outcomesOf, type SalesMarket } from './sales-market.ts'
import { bias, compare, coverage, medianWidth, scoreValues, shareDoubtful, type Score } from './scores.ts'
import { walkForward } from './walk-forward.ts'

/** Shares of the sales that are kept, and how often: a small share of few sales says little about one draw. */
const SHARES = [
  { share: 1, draws: 1 },
  { share: 0.1, draws: 3 },
  { share: 0.03, draws: 6 },
  { share: 0.01, draws: 6 },
]
const SEED = 7
const WARM_UP_DAYS = 30
const WEEK = 7
const NEW_DAYS = 30
const AGES = [
  { name: 'before release', min: -Infinity, max: -1 },
  { name: 'first 30 days', min: 0, max: NEW_DAYS - 1 },
  { name: '30 to 89 days', min: NEW_DAYS, max: 89 },
  { name: '90 to 364 days', min: 90, max: 364 },
  { name: 'a year or more', min: 365, max: Infinity },
]

/** The figures of one share of the sales. `scores` are those of every item on every day. */
export type ShareFigures = ReturnType<typeof summarize> & { share: number; scores: Score[] }

export type SalesBacktest = {
  sets: number
  sales: number
  from: string
  to: string
  shares: ShareFigures[]
  moves: { share: number; moves: number; medianDays: number; relapses: number }[]
}

/** Values recorded sales as they came in, and compares the values with simple methods and with what sold next. */
export function backtestSales(market: SalesMarket, { shares }: { shares?: readonly number[] } = {}): SalesBacktest {
  const period = daysOfSales(market)
  if (period === undefined) throw new Error('There are no sales of sets to value.')
  const outcomesFor = indexOutcomes(market)
  const days: number[] = []
  for (let day = period.first + WARM_UP_DAYS - 1; day < period.last - 2; day += WEEK) days.push(day)
  const wanted = SHARES.filter(({ share }) => shares === undefined || shares.includes(share))
  const moves = market.items.flatMap(findMoves)
  return {
    sets: new Set(market.items.map(({ number }) => number)).size,
    sales: market.items.reduce((sum, item) => sum + outcomesOf(item).length, 0),
    from: formatDay(period.first),
    to: formatDay(period.last),
    shares: wanted.map(({ share, draws }) => {
      const scores: Score[] = []
      for (let draw = 0; draw < draws; draw++)
        for (const { day, values } of walkForward(keepShare(market, share, SEED + draw), days))
          scores.push(...scoreValues(values, day, outcomesFor))
      return { share, ...summarize(scores), scores }
    }),
    moves: wanted.map(({ share, draws }) => summarizeMoves(market, moves, share, Math.min(draws, 3))),
  }
}

function summarize(scores: Score[]) {
  return {
    ...groupFigures(scores),
    tiers: [...Map.groupBy(scores, ({ tier }) => tier)].map(([name, own]) => ({ name, ...groupFigures(own) })),
    ages: AGES.flatMap(({ name, min, max }) => {
      const own = scores.filter(({ age }) => age !== null && age >= min && age <= max)
      return own.length === 0 ? [] : [{ name, ...groupFigures(own) }]
    }),
    months: [...Map.groupBy(scores, ({ day }) => formatDay(day).slice(0, 7))].map(([month, own]) => ({
      month,
      cases: own.length,
      bias: bias(own),
    })),
  }
}

function groupFigures(scores: Score[]) {
  return {
    cases: scores.length,
    nextSale: compare(scores, 'nextSale'),
    nextWeek: compare(scores, 'nextWeek'),
    coverage: coverage(scores),
    width: medianWidth(scores),
    doubtful: shareDoubtful(scores),
  }
}

function summarizeMoves(market: SalesMarket, moves: readonly Move[], share: number, draws: number) {
  const lags = Array.from({ length: draws }, (_, draw) => measureLags(market, moves, share, SEED + draw)).flat()
  return {
    share,
    moves: lags.length,
    medianDays: lags.length === 0 ? NaN : median(lags.map(({ days }) => days)),
    relapses: lags.filter(({ relapsed }) => relapsed).length,
  }
}
