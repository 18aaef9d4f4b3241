import { lastDayOfMonth, monthIndex } from '@brickmark/core/primitives/calendar'
import { scoresOf, type Score } from './accuracy.ts'
import { appraise, type Round } from './rounds.ts'
import { figuresOf, type Figures } from './summary.ts'
import { goalsOf, type Goal } from './goals.ts'
import { daysToShow, type Jump } from './jumps.ts'
import { attackAll, type Attack, type Shift } from './manipulation.ts'
import { backtestMarket, type BacktestMarket } from './market.ts'

export type BacktestOptions = { sets?: number; origins?: number }

export type Backtest = { seed: number; sets: number; origins: number; goals: Goal[] } & Figures

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

/** Values an invented market at month ends and compares every value with the truth, next sales and simple methods. */
export function backtest(seed: number, { sets = 700, origins = 6 }: BacktestOptions = {}): Backtest {
  const market = backtestMarket(seed, sets)
  const days = Array.from({ length: WARM_UP_MONTHS + origins }, (_, place) =>
    lastDayOfMonth(LAST_ORIGIN - WARM_UP_MONTHS - origins + 1 + place),
  )
  const scores: Score[] = []
  const shifts: Record<AttackName, Shift[]> = { 'one seller': [], 'three sellers': [], 'three sellers, slowly': [] }
  let jumps: Jump[] | undefined
  let before: Round | undefined
  for (const round of appraise(market, days)) {
    if (before !== undefined && round.day >= days[WARM_UP_MONTHS]!) {
      jumps ??= jumpsOf(market, before, seed)
      scores.push(...[...round.appraisals.values()].flatMap(scoresOf))
      for (const name of ATTACK_NAMES) shifts[name].push(...attackAll(market, before, round, ATTACKS[name], seed))
    }
    before = round
  }
  const figures = figuresOf(scores, shifts, jumps!)
  return { seed, sets, origins, goals: goalsOf(figures), ...figures }
}

function jumpsOf(market: BacktestMarket, round: Round, seed: number): Jump[] {
  return JUMP_RATES.map((salesAMonth) => ({ salesAMonth, ...daysToShow(market, round, salesAMonth, seed) }))
}
