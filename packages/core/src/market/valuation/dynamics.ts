import { median } from './priors.ts'
import { filterSales, priorPosterior, type PriceObservation } from './posterior.ts'
import { noiseTable, type NoiseTable } from './price-noise.ts'

/** How much a log value moves, as variance per day: always, and in addition around the release. */
export type Volatility = { base: number; release: number }

/** How prices of a condition behave: the scale of the noise of one sale, and how its values move. */
export type Dynamics = { scale: number; volatility: Volatility }

/** The sales of one item that dynamics are fitted to. */
export type PriceSeries = { days: Int32Array; logPrices: Float64Array; releaseDay: number | null }

/** The additional volatility of a new item fades with this many days. */
const RELEASE_DAYS = 60
/** A fit uses one sale per item and week: sales on the same day are correlated, which the model ignores. */
const MIN_GAP_DAYS = 7
const MIN_SALES = 3
const MAX_SALES = 60
const MAX_ITEMS = 200
const STEP = 1.3
const MAX_SWEEPS = 12
/** Spread of the log of a parameter around its default; the defaults count as much as a handful of sales. */
const PARAMETER_SD = 1

/** Returns the variance of an item's moves between two days. */
export function varianceBetween(
  { base, release }: Volatility,
  releaseDay: number | null,
  from: number,
  to: number,
): number {
  if (releaseDay === null) return base * (to - from)
  return base * (to - from) + release * (releaseExposure(to - releaseDay) - releaseExposure(from - releaseDay))
}

/** The integral of the additional volatility up to an age in days. */
function releaseExposure(age: number): number {
  return age <= 0 ? age : RELEASE_DAYS * (1 - Math.exp(-age / RELEASE_DAYS))
}

/** Finds the noise and the volatility under which the sales of all items are most likely, starting from the defaults. */
export function fitDynamics(series: readonly PriceSeries[], defaultDynamics: Dynamics): Dynamics {
  const items = series
    .map(thinOut)
    .filter(({ days }) => days.length >= MIN_SALES)
    .slice(0, MAX_ITEMS)
  const penalty = (value: number, usual: number) => 0.5 * (Math.log(value / usual) / PARAMETER_SD) ** 2
  const score = ([scale, base, release]: Parameters) => {
    let sum = -penalty(scale, defaultDynamics.scale) - penalty(base, defaultDynamics.volatility.base)
    sum -= penalty(release, defaultDynamics.volatility.release)
    const noise = noiseTable(scale)
    for (const item of items) sum += logLikelihood(item, { base, release }, noise)
    return sum
  }
  let best: Parameters = [defaultDynamics.scale, defaultDynamics.volatility.base, defaultDynamics.volatility.release]
  let bestScore = score(best)
  let improved = items.length > 0
  for (let sweep = 0; improved && sweep < MAX_SWEEPS; sweep++) {
    improved = false
    for (const index of [0, 1, 2] as const) {
      for (const factor of [STEP, 1 / STEP]) {
        const next = best.with(index, best[index] * factor) as Parameters
        const nextScore = score(next)
        if (nextScore <= bestScore) continue
        best = next
        bestScore = nextScore
        improved = true
        break
      }
    }
  }
  return { scale: best[0], volatility: { base: best[1], release: best[2] } }
}

type Parameters = [scale: number, base: number, release: number]

function logLikelihood(
  { days, logPrices, releaseDay }: PriceSeries,
  volatility: Volatility,
  noise: NoiseTable,
): number {
  const sales = Array.from(logPrices, (logPrice, index): PriceObservation => {
    const before = days[index - 1] ?? days[0]!
    return { logPrice, weight: 1, variance: varianceBetween(volatility, releaseDay, before, days[index]!) }
  })
  return filterSales(priorPosterior(median(logPrices), null), sales, noise).logLikelihood
}

function thinOut({ days, logPrices, releaseDay }: PriceSeries): PriceSeries {
  const kept: number[] = []
  for (let index = days.length - 1; index >= 0 && kept.length < MAX_SALES; index--)
    if (kept.length === 0 || days[kept.at(-1)!]! - days[index]! >= MIN_GAP_DAYS) kept.push(index)
  kept.reverse()
  return {
    days: Int32Array.from(kept, (index) => days[index]!),
    logPrices: Float64Array.from(kept, (index) => logPrices[index]!),
    releaseDay,
  }
}
