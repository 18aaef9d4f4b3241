import { randomStream, type Random } from './random.ts'
import { monthOfDay } from './set-lifecycle.ts'
import type { SyntheticCatalog, Condition, SetLifecycle, ValuePath } from './types.ts'

const SHELF_LEVEL = -0.1
const SHELF_PULL = 0.35
// Sums to +27 % over the first year after retirement.
const RETIREMENT_POP = 0.06
const POP_MONTHS = 4
const DECEMBER_RISE = 0.03
const MAX_PATH_MONTHS = 120

type Drift = { yearly: number; shared: number[] }

/** Generates the monthly true values of every released set in both conditions. */
export function generateValuePaths(seed: number, catalog: SyntheticCatalog, todayDay: number): Map<string, ValuePath> {
  const drifts = themeDrifts(seed, new Set(catalog.sets.map((set) => set.theme)))
  const paths = new Map<string, ValuePath>()
  for (const { set_number, theme } of catalog.sets) {
    const life = catalog.lifecycles.get(set_number)
    const drift = drifts.get(theme)
    if (life === undefined || drift === undefined || life.releaseDay > todayDay) continue
    paths.set(
      set_number,
      generateValuePath(randomStream(seed, `path ${set_number}`), life, drift, monthOfDay(todayDay)),
    )
  }
  return paths
}

/** Returns the true value of a set in cents on a day; throws if the set wasn't released yet. */
export function trueValue(
  { paths }: { paths: Map<string, ValuePath> },
  set_number: string,
  condition: Condition,
  day: number,
): number {
  const path = paths.get(set_number)
  const value = path?.[condition][monthOfDay(day) - path.firstMonth]
  if (value === undefined) throw new Error(`Set ${set_number} was not released on day ${day}.`)
  return value
}

function themeDrifts(seed: number, themes: Set<string>): Map<string, Drift> {
  const random = randomStream(seed, 'themes')
  const shared = Array.from({ length: MAX_PATH_MONTHS }, () => random.normal(0, 0.008))
  return new Map([...themes].toSorted().map((theme) => [theme, { yearly: random.normal(0.1, 0.06), shared }]))
}

function generateValuePath(random: Random, life: SetLifecycle, themeDrift: Drift, lastMonth: number): ValuePath {
  const firstMonth = monthOfDay(life.releaseDay)
  const yearly = themeDrift.yearly + random.normal(0, 0.05)
  const usedOffset = -Math.abs(random.normal(0.42, 0.16))
  const path: ValuePath = { firstMonth, sealed: [], used: [] }
  let premium = random.normal(-0.03, 0.04)
  let usedNoise = 0
  for (let month = firstMonth; month <= lastMonth; month++) {
    premium += monthlyDrift(life, month, premium, yearly) + random.normal(0, 0.018)
    // Indexed backward from the current month, so that all sets get the same shock at the same time.
    if (month > monthOfDay(life.retireDay)) premium += themeDrift.shared[lastMonth - month] ?? 0
    usedNoise = 0.8 * usedNoise + random.normal(0, 0.02)
    const sealed = Math.log(life.listCents) + premium + (month % 12 === 11 ? DECEMBER_RISE : 0)
    path.sealed.push(Math.max(50, Math.round(Math.exp(sealed))))
    path.used.push(Math.max(25, Math.round(Math.exp(sealed + usedOffset + usedNoise))))
  }
  return path
}

// While on sale, a set stays slightly below its list price; after retirement its value jumps, then drifts.
function monthlyDrift(life: SetLifecycle, month: number, premium: number, yearly: number): number {
  const backOnSale = life.rereleaseDay !== null && month >= monthOfDay(life.rereleaseDay)
  const sinceRetired = month - monthOfDay(life.retireDay)
  if (backOnSale || sinceRetired <= 0) return SHELF_PULL * (SHELF_LEVEL - premium)
  return yearly / 12 + RETIREMENT_POP * Math.exp(-(sinceRetired - 1) / POP_MONTHS)
}
