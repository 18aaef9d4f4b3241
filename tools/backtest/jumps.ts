import { trueLogValue, type DailyPath } from '../synthetic/daily-path.ts'
import { randomStream } from '../synthetic/random.ts'
import { generateItemSales } from '../synthetic/sales.ts'
import { estimateItem, type EstimateInput } from '@brickmark/core/market/valuation/estimate'
import { median } from '@brickmark/core/market/valuation/priors'
import { WINDOW_DAYS } from '@brickmark/core/market/valuation/usable-sales'
import { computeBaselines } from './baselines.ts'
import { toPreviousValue, type Round } from './rounds.ts'
import { datesKnownOn, observationsAsOf, type BacktestMarket, type Item } from './market.ts'

const JUMP = 0.4
const REFLECTED_FACTOR = 1 + 0.8 * JUMP
const ITEMS = 30
const LIMIT_DAYS = 180
const PREVIOUS_VALUE_AGE_DAYS = 30

/** Days until a jump is reflected, at a rate of sales per month. */
export type Jump = { salesPerMonth: number; ours: number; median6: number }

/** Returns the median days until 80 % of a 40 % jump is reflected, over 30 retired sets at `rate` sales per month. */
export function daysToReflectJump(market: BacktestMarket, round: Round, rate: number, seed: number) {
  const jumpDay = round.day + 1
  const items = market.pairs
    .map(({ sealed }) => sealed)
    .filter(({ life, listCents }) => listCents !== null && life.retireDay < jumpDay - 365)
    .slice(0, ITEMS)
    .map((item) => withJump(item, jumpDay, rate, seed))
  return {
    ours: median(items.map((item) => daysUntilReflected(item, jumpDay, valuesByDay(market, round, item)))),
    median6: median(items.map((item) => daysUntilReflected(item, jumpDay, medianByDay(market, item)))),
  }
}

// The same set with its true path raised by the jump, and with new sales at the given rate.
function withJump(item: Item, jumpDay: number, rate: number, seed: number): Item {
  const lastDay = jumpDay + LIMIT_DAYS
  const raised = (from: Float64Array) => {
    const path = new Float64Array(lastDay - item.path.firstDay + 1)
    for (let index = 0; index < path.length; index++) {
      const jumped = item.path.firstDay + index >= jumpDay ? Math.log(1 + JUMP) : 0
      path[index] = from[Math.min(index, jumpDay - item.path.firstDay)]! + jumped
    }
    return path
  }
  const { firstDay, sealed, used } = item.path
  const path: DailyPath = { firstDay, sealed: raised(sealed), used: raised(used) }
  const random = randomStream(seed, `jump ${item.number} ${rate}`)
  const options = { firstDay: jumpDay - WINDOW_DAYS, lastDay }
  const { sales } = generateItemSales(random, { item: item.number, condition: 'sealed', path }, rate, options)
  return { ...item, path, sales: sales.sort((a, b) => a.arrivalDay - b.arrivalDay) }
}

type ValueOn = (day: number) => number | null

function daysUntilReflected(item: Item, jumpDay: number, valueOn: ValueOn): number {
  const before = Math.exp(trueLogValue(item.path, 'sealed', jumpDay - 1))
  for (let day = jumpDay; day < jumpDay + LIMIT_DAYS; day++) {
    const value = valueOn(day)
    if (value !== null && value >= before * REFLECTED_FACTOR) return day - jumpDay
  }
  return LIMIT_DAYS
}

// Each value is compared with the one published 30 days before, but no earlier than the day before the jump.
function valuesByDay(market: BacktestMarket, round: Round, item: Item): ValueOn {
  const published = new Map<number, EstimateInput['previous']>()
  const valueOn = (day: number) => {
    const previous = published.get(Math.max(day - PREVIOUS_VALUE_AGE_DAYS, round.day)) ?? null
    const set = {
      attributes: { theme: item.theme, listCents: item.listCents, dates: datesKnownOn(item, day) },
      sales: { sealed: observationsAsOf(item.sales, day, market), used: [] },
    }
    const { sealed } = round.valuer.inputsOf(set, day, { sealed: previous, used: null })
    const valuation = estimateItem(sealed, round.valuer.models.sealed)
    published.set(day, toPreviousValue(valuation))
    return valuation.valueCents
  }
  valueOn(round.day)
  return valueOn
}

function medianByDay(market: BacktestMarket, item: Item): ValueOn {
  return (day) => {
    const { median6 } = computeBaselines(observationsAsOf(item.sales, day, market), day)
    return median6 === null ? null : Math.exp(median6)
  }
}
