import type { Condition } from '../catalog/condition.ts'
import { interpolateValues, ValueLine, type ValuePoint } from '../market/values/value-line.ts'
import { dayNumber, yearBefore } from '../primitives/calendar.ts'
import { percent } from '../primitives/money.ts'

/**
 * Units bought together, held from day `from` until they were sold on day `to`; `to` is null if they are still held.
 * If the day or the cost of the purchase is unknown, `from` or `unitCost` is null.
 */
export type OwnershipInterval = {
  setNumber: string
  condition: Condition
  quantity: number
  unitCost: number | null
  from: number | null
  to: number | null
}

/** Row for a ownership interval: dates as text. */
type IntervalRow = {
  set_number: string
  condition: Condition
  quantity: number
  purchase_price_cents: number | null
  purchase_date: string | null
  sale_date: string | null
}

export function toOwnershipInterval(row: IntervalRow): OwnershipInterval {
  return {
    setNumber: row.set_number,
    condition: row.condition,
    quantity: row.quantity,
    unitCost: row.purchase_price_cents,
    from: row.purchase_date === null ? null : dayNumber(row.purchase_date),
    to: row.sale_date === null ? null : dayNumber(row.sale_date),
  }
}

export type PortfolioPoint = { day: number; value: number; cost: number; gain: number }

export type Mover = { setNumber: string; pct: number }

/** Returns a gain in percent of the cost; 0 if the cost is 0. */
export function gainPercent(gain: number, cost: number): number {
  return percent(gain, cost) ?? 0
}

/** Returns a lot's gain in cents and in percent of its cost; null if its value or its cost is unknown. */
export function computeGain(value: number | null, cost: number | null): { gain: number; pct: number } | null {
  if (value === null || cost === null) return null
  return { gain: value - cost, pct: gainPercent(value - cost, cost) }
}

/** Returns what the units of a lot are worth and what they gained, in cents; null where a price or value is unknown. */
export function valueLot(lot: { quantity: number; unitCost: number | null; unitValue: number | null }) {
  const value = multiply(lot.quantity, lot.unitValue)
  const gain = computeGain(value, multiply(lot.quantity, lot.unitCost))
  return { value, gain: gain?.gain ?? null, gainPct: gain?.pct ?? null }
}

function multiply(quantity: number, cents: number | null): number | null {
  return cents === null ? null : quantity * cents
}

/** Returns the average cost per unit, rounded to the cent; null if the cost is unknown. */
export function averageCost(cost: number | null, quantity: number): number | null {
  return cost === null ? null : Math.round(cost / quantity)
}

/** Held units of an item with their total cost and value, in cents; null if unknown. A set is identified by its number. */
export type ValuedLot = { item: string; quantity: number; cost: number | null; value: number | null }

/** Returns a lot with its value. `valueOf` returns today's unit value in cents, or null if unknown. */
export function toValuedLot(
  lot: { setNumber: string; condition: Condition; quantity: number; unitCost: number | null },
  valueOf: (setNumber: string, condition: Condition) => number | null,
): ValuedLot {
  const { setNumber, quantity } = lot
  const unitValue = valueOf(setNumber, lot.condition)
  return { item: setNumber, quantity, cost: multiply(quantity, lot.unitCost), value: multiply(quantity, unitValue) }
}

export type Period = '30d' | '90d' | '1y' | '3y' | 'all'

/** A chart of all time goes back this far at most. */
const MAX_DAYS = 20 * 366

/** A chart of more than three years has a point every few weeks. */
const MAX_WEEKLY_POINTS = 160

/**
 * Returns the days of a period's chart: daily up to 90 days, otherwise weekly or every few weeks, plus the last day. All time
 * begins with the first purchase.
 */
export function chartDays(period: Period, today: number, firstBought = today): number[] {
  const first = firstDayOf(period, today, firstBought)
  const step = today - first <= 90 ? 1 : 7 * Math.ceil((today - first) / (7 * MAX_WEEKLY_POINTS))
  const days: number[] = []
  for (let day = first; day < today; day += step) days.push(day)
  days.push(today)
  return days
}

function firstDayOf(period: Period, today: number, firstBought: number): number {
  if (period === '30d') return today - 30
  if (period === '90d') return today - 90
  if (period === '1y') return yearBefore(today)
  if (period === '3y') return yearBefore(yearBefore(yearBefore(today)))
  // At least 30 days, so that there is something to see.
  return Math.max(today - MAX_DAYS, Math.min(today - 30, firstBought))
}

/**
 * Returns the portfolio's value, cost and gain on each day, derived from ownership intervals and values, so that
 * correcting a purchase corrects the past. Units whose purchase date is unknown count as held all along. The last day
 * must be today; it counts exactly the current lots, which are also returned lot by lot as `held`.
 */
export function portfolioHistory(
  intervals: OwnershipInterval[],
  days: number[],
  drawUnitValue: (line: ValueLine, setNumber: string, condition: Condition) => void,
): { history: PortfolioPoint[]; held: ValuedLot[] } {
  // Typed arrays, because 5,000 lots have 250,000 values.
  const numbers = () => new Float64Array(days.length)
  const [values, costs, gains] = [numbers(), numbers(), numbers()]
  const line = new ValueLine(days)
  const unitValues = line.values
  const held: ValuedLot[] = []
  const last = days.length - 1
  for (const { setNumber, condition, quantity, unitCost, from, to } of intervals) {
    const cost = unitCost === null ? null : quantity * unitCost
    const first = from === null ? 0 : Math.min(lowerBound(from, days), last)
    const until = to === null ? days.length : Math.min(lowerBound(to, days), last)
    line.start(first, until)
    drawUnitValue(line, setNumber, condition)
    for (let index = first; index < until; index++) {
      const value = quantity * unitValues[index]!
      if (Number.isNaN(value)) continue
      values[index]! += value
      if (cost === null) continue
      costs[index]! += cost
      gains[index]! += value - cost
    }
    if (to !== null) continue
    const now = unitValues[last]!
    held.push({ item: setNumber, quantity, cost, value: Number.isNaN(now) ? null : quantity * now })
  }
  const history = days.map((day, index) => ({
    day,
    value: values[index]!,
    cost: costs[index]!,
    gain: gains[index]!,
  }))
  return { history, held }
}

/** Returns the index of the first of the ascending days that is not before `day`. */
export function lowerBound(day: number, days: readonly number[]): number {
  let low = 0
  let high = days.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (days[middle]! < day) low = middle + 1
    else high = middle
  }
  return low
}

/** Minimum cost in cents of a top mover: the percentage of a $1 lot that doubles isn't meaningful. */
const MOVER_MIN_COST = 500

/** Returns the sets with the highest gain and loss by percentage; null if no lot gained or lost. */
export function topMovers(lots: Omit<ValuedLot, 'quantity'>[]): {
  gainer: Mover | null
  loser: Mover | null
} {
  let gainer: Mover | null = null
  let loser: Mover | null = null
  for (const { item: setNumber, cost, value } of lots) {
    if (value === null || cost === null || cost < MOVER_MIN_COST) continue
    const pct = gainPercent(value - cost, cost)
    if (pct > (gainer?.pct ?? 0)) gainer = { setNumber, pct }
    if (pct < (loser?.pct ?? 0)) loser = { setNumber, pct }
  }
  return { gainer, loser }
}

/** Change in value of a held set since a day: the unit value in cents, its change, and the impact across all held units. */
export type ValueMove = { setNumber: string; condition: Condition; now: number; ratio: number; impact: number }

/** Returns the value moves of held sets since a day, largest impact first. Omits sets whose value then is unknown. */
export function valueMovesSince(
  day: number,
  today: number,
  intervals: OwnershipInterval[],
  getValuePoints: (setNumber: string, condition: Condition) => ValuePoint[],
): { up: ValueMove[]; down: ValueMove[] } {
  const held = Map.groupBy(
    intervals.filter((interval) => interval.to === null),
    ({ setNumber, condition }) => `${condition} ${setNumber}`,
  )
  const moves = [...held.values()].flatMap((lots) => {
    const { setNumber, condition } = lots[0]!
    const [before = null, now = null] = interpolateValues([day, today], getValuePoints(setNumber, condition))
    if (before === null || now === null) return []
    const units = lots.reduce((sum, lot) => sum + lot.quantity, 0)
    return [{ setNumber, condition, now, ratio: (now - before) / before, impact: units * (now - before) }]
  })
  return {
    up: moves.filter(({ impact }) => impact > 0).sort((a, b) => b.impact - a.impact),
    down: moves.filter(({ impact }) => impact < 0).sort((a, b) => a.impact - b.impact),
  }
}

/** Memoizes a function by set and condition. */
export function memoizeBySetAndCondition<T>(
  compute: (setNumber: string, condition: Condition) => T,
): (setNumber: string, condition: Condition) => T {
  const cache = new Map<string, T>()
  return (setNumber, condition) => {
    const key = `${condition} ${setNumber}`
    const cached = cache.get(key)
    if (cached !== undefined) return cached
    const computed = compute(setNumber, condition)
    cache.set(key, computed)
    return computed
  }
}
