import { lastDayOfMonth, monthIndex } from '@brickmark/core/primitives/calendar'
import { scoreValuations, type Score } from './accuracy.ts'
import { valueRounds, type Round } from './rounds.ts'
import { summarize, type BacktestSummary } from './summary.ts'
import { evaluateGoals, type Goal } from './goals.ts'
import { daysToReflectJump, type Jump } from './jumps.ts'
import { simulateAttacks, type Attack, type Shift } from './manipulation.ts'
import { generateBacktestMarket, type BacktestMarket } from './market.ts'

export type BacktestOptions = { sets?: number; origins?: number }

export type Backtest = { seed: number; sets: number; origins: number; goals: Goal[] } & BacktestSummary

const LAST_ORIGIN = monthIndex('2027-01')
const WARM_UP_MONTHS = 12
const JUMP_RATES = [40, 10, 3] as const
const ATTACKS = {
  'one seller': { sellers: 1, days: 30 },
  'three sellers': { sellers: 3, days: 30 },
  'three sellers, slowly': { sellers: 3, days: 60 },
} satisfies Record<string, Attack>

type AttackName = keyof typeof ATTACKS
const ATTACK_NAMES = Object.keys(ATTACKS) as AttackName[]

/** Values a synthetic market at month ends and compares the values with the truth, the next sales and the baselines. */
export function backtest(seed: number, { sets = 700, origins = 6 }: BacktestOptions = {}): Backtest {
  const market = generateBacktestMarket(seed, sets)
  const days = Array.from({ length: WARM_UP_MONTHS + origins }, (_, index) =>
    lastDayOfMonth(LAST_ORIGIN - WARM_UP_MONTHS - origins + 1 + index),
  )
  const scores: Score[] = []
  const shifts: Record<AttackName, Shift[]> = { 'one seller': [], 'three sellers': [], 'three sellers, slowly': [] }
  let jumps: Jump[] | undefined
  let previousRound: Round | undefined
  for (const round of valueRounds(market, days)) {
    if (previousRound !== undefined && round.day >= days[WARM_UP_MONTHS]!) {
      jumps ??= measureJumps(market, previousRound, seed)
      scores.push(...[...round.valuations.values()].flatMap(scoreValuations))
      for (const name of ATTACK_NAMES)
        shifts[name].push(...simulateAttacks(market, previousRound, round, ATTACKS[name], seed))
    }
    previousRound = round
  }
  const figures = summarize(scores, shifts, jumps!)
  return { seed, sets, origins, goals: evaluateGoals(figures), ...figures }
}

function measureJumps(market: BacktestMarket, round: Round, seed: number): Jump[] {
  return JUMP_RATES.map((salesPerMonth) => ({
    salesPerMonth,
    ...daysToReflectJump(market, round, salesPerMonth, seed),
  }))
}
