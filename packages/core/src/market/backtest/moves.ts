import type { Condition } from '../../catalog/condition.ts'
import { median } from '../valuation/priors.ts'
import { type PackedItem, type SalesMarket, keepShare, outcomesOf } from './sales-market.ts'
import type { PricedSale } from './simple-methods.ts'
import { walkForward } from './walk-forward.ts'

/** A lasting change of what an item sells for, from one level to another. Levels are logs of cents. */
export type Move = {
  number: string
  condition: Condition
  firstDay: number
  lastDay: number
  from: number
  to: number
  /** From this day on, sales stay within a fifth of the move of its new level. */
  doneOn: number
}

/** Days behind a move, and whether the value went back on it. */
export type MoveLag = { days: number; relapsed: boolean }

const MIN_MOVE = Math.log(1.15)
/** A level is the median of this many days, with at least this many sales. */
const LEVEL_DAYS = 14
const MIN_LEVEL_SALES = 3
const STAYS_DAYS = 30
const REACHED_SHARE = 0.8
/** A value this far past the new level doesn't follow the move. */
const MAX_SHARE = 1.5
/** A value relapses if it is back at half of the move for a week. */
const RELAPSE_SHARE = 0.5
const RELAPSE_DAYS = 7
const SMOOTHING_DAYS = 3

/** Finds moves of at least 15 % within two weeks that last for a month or longer. */
export function findMoves(item: PackedItem): Move[] {
  const sales = outcomesOf(item)
  if (sales.length === 0) return []
  const moves: Move[] = []
  const last = sales.at(-1)!.day - 2 * LEVEL_DAYS - STAYS_DAYS
  let day = sales[0]!.day + LEVEL_DAYS
  while (day <= last) {
    const move = moveAt(item, sales, day)
    if (move === undefined) {
      day++
      continue
    }
    // The largest of the following days: a level that is still moving isn't the level before.
    let largest = move
    for (let later = day + 1; later < day + LEVEL_DAYS; later++) {
      const other = moveAt(item, sales, later)
      if (other !== undefined && Math.abs(other.to - other.from) > Math.abs(largest.to - largest.from)) largest = other
    }
    moves.push(largest)
    day = largest.lastDay
  }
  return moves
}

function moveAt({ number, condition }: PackedItem, sales: readonly PricedSale[], day: number): Move | undefined {
  const from = levelOf(sales, day - LEVEL_DAYS, day)
  const to = levelOf(sales, day + LEVEL_DAYS, day + 2 * LEVEL_DAYS)
  const lastDay = day + 2 * LEVEL_DAYS + STAYS_DAYS
  const after = levelOf(sales, day + 2 * LEVEL_DAYS, lastDay)
  if (from === undefined || to === undefined || after === undefined) return undefined
  const size = to - from
  if (Math.abs(size) < MIN_MOVE || Math.abs(after - to) > (1 - REACHED_SHARE) * Math.abs(size)) return undefined
  const move = { number, condition, firstDay: day - LEVEL_DAYS, lastDay, from, to, doneOn: day }
  let doneOn = move.firstDay
  for (let one = move.firstDay; one < lastDay; one++) {
    const level = levelOf(sales, one - SMOOTHING_DAYS, one + SMOOTHING_DAYS + 1)
    if (level !== undefined && shareDone(move, level) < REACHED_SHARE) doneOn = one + 1
  }
  return { ...move, doneOn }
}

function levelOf(sales: readonly PricedSale[], since: number, before: number): number | undefined {
  const prices: number[] = []
  for (const { day, logPrice } of sales) if (day >= since && day < before) prices.push(logPrice)
  return prices.length < MIN_LEVEL_SALES ? undefined : median(prices)
}

function shareDone({ from, to }: Move, logValue: number): number {
  return (logValue - from) / (to - from)
}

/**
 * Measures by how many days our values are behind each move: from the day on which sales have done four fifths of it for
 * good to the day on which our values have. A value that falls back again counts as behind until it returns.
 */
export function measureLags(market: SalesMarket, moves: readonly Move[], share: number, seed: number): MoveLag[] {
  const days = [...new Set(moves.flatMap(({ firstDay, lastDay }) => range(firstDay, lastDay)))].sort((a, b) => a - b)
  const progress = new Map(moves.map((move) => [move, new Map<number, number>()]))
  const byNumber = Map.groupBy(moves, ({ number }) => number)
  const isDuring = ({ firstDay, lastDay }: Move, day: number) => day >= firstDay && day < lastDay
  const isWanted = (number: string, day: number) => byNumber.get(number)?.some((move) => isDuring(move, day)) ?? false
  for (const { day, values } of walkForward(keepShare(market, share, seed), days, { isWanted })) {
    for (const { set, valuation } of values) {
      for (const move of byNumber.get(set.set_number)!) {
        const { valueCents } = valuation[move.condition]
        if (valueCents !== null && isDuring(move, day))
          progress.get(move)!.set(day, shareDone(move, Math.log(valueCents)))
      }
    }
  }
  return moves.flatMap((move) => {
    const reached = progress.get(move)!
    return reached.size === 0 ? [] : [lagOf(move, reached)]
  })
}

function lagOf(move: Move, reached: ReadonlyMap<number, number>): MoveLag {
  let doneOn = move.firstDay
  let wasDone = false
  let daysBack = 0
  let relapsed = false
  for (const [day, share] of reached) {
    const isDone = share >= REACHED_SHARE && share <= MAX_SHARE
    if (!isDone) doneOn = day + 1
    daysBack = wasDone && day >= move.doneOn && share < RELAPSE_SHARE ? daysBack + 1 : 0
    relapsed ||= daysBack >= RELAPSE_DAYS
    wasDone ||= isDone
  }
  return { days: doneOn - move.doneOn, relapsed }
}

function range(first: number, end: number): number[] {
  return Array.from({ length: end - first }, (_, index) => first + index)
}
