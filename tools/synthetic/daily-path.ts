import { lastDayOfMonth } from '@brickmark/core/primitives/calendar'
import { randomStream, type Random } from './random.ts'
import type { SyntheticCatalog, Condition, MinifigRow, ValuePath } from './types.ts'

/** True log values in cents, one per day from `firstDay` on. */
export type DailyPath = { firstDay: number } & Record<Condition, Float64Array>

// The monthly shock of the value paths (0.018) spread over 30.4 days.
const DAILY_SHOCK = 0.0033
const MINIFIG_YEARS = 6
const MINIFIG_DAY_SHOCK = 0.004

/** Generates the true value of every set on every day: a random walk that passes through each month-end value. */
export function generateDailyPaths(
  seed: number,
  paths: Map<string, ValuePath>,
  lastDay: number,
): Map<string, DailyPath> {
  return new Map(
    [...paths].map(([number, path]) => [number, dailyPath(randomStream(seed, `days ${number}`), path, lastDay)]),
  )
}

/** Generates the true value of every minifig from its category, release year and own noise. 'sealed' means new. */
export function generateMinifigPaths(
  seed: number,
  { minifigs }: SyntheticCatalog,
  lastDay: number,
): Map<string, DailyPath> {
  const random = randomStream(seed, 'minifig categories')
  const levels = new Map<string, number>()
  const levelOf = (category: string) => {
    const level = levels.get(category) ?? random.normal(0, 0.35)
    levels.set(category, level)
    return level
  }
  return new Map(
    minifigs.map((minifig) => [
      minifig.minifig_number,
      minifigPath(
        randomStream(seed, `days ${minifig.minifig_number}`),
        minifig,
        levelOf(minifig.category ?? ''),
        lastDay,
      ),
    ]),
  )
}

/** Returns the true log value on a day; throws if the item wasn't released yet. */
export function trueLogValue(path: DailyPath, condition: Condition, day: number): number {
  const value = path[condition][day - path.firstDay]
  if (value === undefined) throw new Error(`No true value on day ${day}.`)
  return value
}

function dailyPath(random: Random, path: ValuePath, lastDay: number): DailyPath {
  const firstDay = lastDayOfMonth(path.firstMonth - 1) + 1
  const days = lastDay - firstDay + 1
  const sealedShock = new Float64Array(days)
  const usedShock = new Float64Array(days)
  let start = 0
  for (let month = path.firstMonth; start < days; month++) {
    const end = lastDayOfMonth(month) - firstDay + 1
    addBrownianBridge(random, sealedShock, start, end)
    addBrownianBridge(random, usedShock, start, end)
    start = end
  }
  const sealed = interpolateMonthEnds(path.sealed, path.firstMonth, firstDay, days)
  const used = interpolateMonthEnds(path.used, path.firstMonth, firstDay, days)
  for (let day = 0; day < days; day++) {
    sealed[day]! += sealedShock[day]!
    used[day]! += 0.8 * sealedShock[day]! + 0.6 * usedShock[day]!
  }
  return { firstDay, sealed, used }
}

function interpolateMonthEnds(monthEnds: number[], firstMonth: number, firstDay: number, days: number): Float64Array {
  const line = new Float64Array(days)
  let start = 0
  for (let month = 0; start < days; month++) {
    const end = lastDayOfMonth(firstMonth + month) - firstDay + 1
    const to = Math.log(monthEnds[month] ?? monthEnds.at(-1)!)
    const from = month === 0 ? to : Math.log(monthEnds[month - 1] ?? monthEnds.at(-1)!)
    for (let day = start; day < Math.min(end, days); day++) {
      line[day] = from + ((to - from) * (day - start + 1)) / (end - start)
    }
    start = end
  }
  return line
}

// A random walk that returns to 0 on the last day, so that the month-end value is preserved.
function addBrownianBridge(random: Random, walk: Float64Array, start: number, end: number): void {
  const steps = Array.from({ length: end - start }, () => random.normal(0, DAILY_SHOCK))
  const total = steps.reduce((sum, step) => sum + step, 0)
  let level = 0
  steps.forEach((step, index) => {
    level += step - total / steps.length
    if (start + index < walk.length) walk[start + index] = level
  })
}

function minifigPath(random: Random, minifig: MinifigRow, level: number, lastDay: number): DailyPath {
  const days = MINIFIG_YEARS * 365
  const age = new Date(lastDay * 86_400_000).getUTCFullYear() - (minifig.year_released ?? 0)
  const ageGrowth = minifig.year_released === null ? 0.3 : 0.1 * age
  const usedOffset = -Math.abs(random.normal(0.3, 0.12))
  const drift = random.normal(0.08, 0.06) / 365
  const sealed = new Float64Array(days)
  let value = Math.log(650) + level + ageGrowth + random.normal(0, 0.6)
  for (let day = days - 1; day >= 0; day--) {
    sealed[day] = value
    value -= drift + random.normal(0, MINIFIG_DAY_SHOCK)
  }
  return { firstDay: lastDay - days + 1, sealed, used: sealed.map((log) => log + usedOffset) }
}
