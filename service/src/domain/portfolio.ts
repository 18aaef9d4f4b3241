import { cents, percent } from './money.ts'
import { dayNumber } from './month.ts'

export const CONDITIONS = ['sealed', 'used'] as const

export type Condition = (typeof CONDITIONS)[number]

/** Units bought together: held since `from`, until the day `to` when they were sold, or still held when it is null. */
export type HoldingInterval = {
  setNumber: string
  condition: Condition
  quantity: number
  unitCost: number
  from: number
  to: number | null
}

/** Units bought together as SQL tells them: money and dates as text. */
type IntervalRow = {
  set_number: string
  condition: Condition
  quantity: number
  purchase_price_usd: string
  purchase_date: string
  sale_date: string | null
}

export function intervalOf(row: IntervalRow): HoldingInterval {
  return {
    setNumber: row.set_number,
    condition: row.condition,
    quantity: row.quantity,
    unitCost: cents(row.purchase_price_usd),
    from: dayNumber(row.purchase_date),
    to: row.sale_date === null ? null : dayNumber(row.sale_date),
  }
}

/** Known values of one set in one condition: ascending days, cents. The last may be today's. */
export type ValuePoint = { day: number; value: number }

/** What holdings cost and are worth, in cents. Holdings without a value are counted but left out of all money. */
export type PortfolioTotals = {
  sets: number
  items: number
  cost: number
  value: number
}

export type PortfolioPoint = { day: number; value: number; cost: number }

export type Mover = { setNumber: string; pct: number }

/** One lot's gain in cents and as a percentage (0 at cost 0, where there is no percentage). */
export function gainOf(value: number, cost: number): { gain: number; pct: number } {
  return { gain: value - cost, pct: percent(value - cost, cost) ?? 0 }
}

/** What one unit cost on average, to the cent. */
export function averageCost(cost: number, quantity: number): number {
  return Math.round(cost / quantity)
}

/** Totals of what is held now. `valueOf` gives today's unit value in cents, or null when it is not known. */
export function totalsOf(
  held: Iterable<Pick<HoldingInterval, 'setNumber' | 'condition' | 'quantity'> & { cost: number }>,
  valueOf: (setNumber: string, condition: Condition) => number | null,
): PortfolioTotals {
  const sets = new Set<string>()
  const totals = { sets: 0, items: 0, cost: 0, value: 0 }
  for (const lot of held) {
    sets.add(lot.setNumber)
    totals.items += lot.quantity
    const value = valueOf(lot.setNumber, lot.condition)
    if (value === null) continue
    totals.cost += lot.cost
    totals.value += lot.quantity * value
  }
  totals.sets = sets.size
  return totals
}

/** What is held now: its totals, and the lots that gained and lost most. */
export function portfolioSummary(
  intervals: HoldingInterval[],
  valueOf: (setNumber: string, condition: Condition) => number | null,
): { totals: PortfolioTotals; movers: ReturnType<typeof topMovers> } {
  const held = intervals
    .filter((interval) => interval.to === null)
    .map((interval) => ({ ...interval, cost: interval.quantity * interval.unitCost }))
  const valued = held.flatMap((lot) => {
    const value = valueOf(lot.setNumber, lot.condition)
    return value === null ? [] : [{ setNumber: lot.setNumber, cost: lot.cost, value: lot.quantity * value }]
  })
  return { totals: totalsOf(held, valueOf), movers: topMovers(valued) }
}

const STEP = { '30d': 1, '90d': 1, '1y': 7 } as const
const LENGTH = { '30d': 30, '90d': 90, '1y': 365 } as const

export type Period = keyof typeof STEP

/** The days a period's chart shows: every day, or every week and the last day. */
export function daysOf(period: Period, today: number): number[] {
  const days: number[] = []
  for (let day = today - LENGTH[period]; day < today; day += STEP[period]) days.push(day)
  days.push(today)
  return days
}

/** What is known of a unit's value until today: the past points before today, and today's value when there is one. */
export function pointsUntilToday(past: ValuePoint[], now: number | null, today: number): ValuePoint[] {
  const points = past.filter((point) => point.day < today)
  if (now !== null) points.push({ day: today, value: now })
  return points
}

/**
 * Value and cost of the portfolio on each day, derived from what was held when and what it was worth: a corrected
 * purchase corrects the past. The last day must be today and counts exactly what is held now.
 */
export function portfolioHistory(
  intervals: HoldingInterval[],
  days: number[],
  pointsOf: (setNumber: string, condition: Condition) => ValuePoint[],
): PortfolioPoint[] {
  const history = days.map((day) => ({ day, value: 0, cost: 0 }))
  const last = days.length - 1
  for (const { setNumber, condition, quantity, unitCost, from, to } of intervals) {
    const cost = quantity * unitCost
    const first = Math.min(placeOf(from, days), last)
    const until = to === null ? days.length : Math.min(placeOf(to, days), last)
    // Summed up as it is found: 5,000 lots have a quarter of a million values, and keeping them takes longer than finding them.
    eachValueOn(days, first, until, pointsOf(setNumber, condition), (place, value) => {
      const point = history[place]!
      point.value += quantity * value
      point.cost += cost
    })
  }
  return history
}

/** The place of the first of some ascending days that is not before `day`. */
function placeOf(day: number, days: number[]): number {
  let low = 0
  let high = days.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (days[middle]! < day) low = middle + 1
    else high = middle
  }
  return low
}

/** The value on each of some ascending days, null where nothing is known. */
export function valuesOn(days: number[], points: ValuePoint[]): (number | null)[] {
  const values = days.map((): number | null => null)
  eachValueOn(days, 0, days.length, points, (place, value) => (values[place] = value))
  return values
}

/**
 * Finds the value on each of some ascending days from place `first` until before `until`: on a straight line between the two
 * known points around it. Days outside of the points are passed over, because nothing is known of them.
 */
function eachValueOn(
  days: number[],
  first: number,
  until: number,
  points: ValuePoint[],
  found: (place: number, value: number) => void,
): void {
  let next = 0
  let before: ValuePoint | undefined
  let after = points[0]
  for (let place = first; place < until; place++) {
    const day = days[place]!
    while (after !== undefined && after.day < day) {
      before = after
      after = points[++next]
    }
    if (after === undefined) return
    if (after.day === day) found(place, after.value)
    else if (before !== undefined) {
      const rise = ((after.value - before.value) * (day - before.day)) / (after.day - before.day)
      found(place, Math.round(before.value + rise))
    }
  }
}

/** Below this a percentage says nothing: a $1 lot that doubles is no top gainer. */
const MOVER_MIN_COST = 500

/** The lots that gained and lost the most by percentage; null when none gained, or none lost. */
export function topMovers(lots: { setNumber: string; cost: number; value: number }[]): {
  gainer: Mover | null
  loser: Mover | null
} {
  let gainer: Mover | null = null
  let loser: Mover | null = null
  for (const { setNumber, cost, value } of lots) {
    if (cost < MOVER_MIN_COST) continue
    const { pct } = gainOf(value, cost)
    if (pct > (gainer?.pct ?? 0)) gainer = { setNumber, pct }
    if (pct < (loser?.pct ?? 0)) loser = { setNumber, pct }
  }
  return { gainer, loser }
}

/** How the value of a set that is held now moved since a day: cents a unit, and what that is for all units held. */
export type Move = { setNumber: string; condition: Condition; before: number; now: number; effect: number }

/** The moves since a day of what is held now, those that changed the portfolio most first; values unknown then are left out. */
export function movesSince(
  day: number,
  today: number,
  intervals: HoldingInterval[],
  pointsOf: (setNumber: string, condition: Condition) => ValuePoint[],
): { up: Move[]; down: Move[] } {
  const held = Map.groupBy(
    intervals.filter((interval) => interval.to === null),
    ({ setNumber, condition }) => `${condition} ${setNumber}`,
  )
  const moves = [...held.values()].flatMap((lots) => {
    const { setNumber, condition } = lots[0]!
    const [before = null, now = null] = valuesOn([day, today], pointsOf(setNumber, condition))
    if (before === null || now === null) return []
    const units = lots.reduce((sum, lot) => sum + lot.quantity, 0)
    return [{ setNumber, condition, before, now, effect: units * (now - before) }]
  })
  return {
    up: moves.filter(({ effect }) => effect > 0).sort((a, b) => b.effect - a.effect),
    down: moves.filter(({ effect }) => effect < 0).sort((a, b) => a.effect - b.effect),
  }
}

/** Computes once for each set and condition. */
export function memoize<T>(
  compute: (setNumber: string, condition: Condition) => T,
): (setNumber: string, condition: Condition) => T {
  const known = new Map<string, T>()
  return (setNumber, condition) => {
    const key = `${condition} ${setNumber}`
    const found = known.get(key)
    if (found !== undefined) return found
    const made = compute(setNumber, condition)
    known.set(key, made)
    return made
  }
}
