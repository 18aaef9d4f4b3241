import type { EstimateInput } from '@brickmark/core/market/valuation/estimate'
import { median } from '@brickmark/core/market/valuation/priors'
import { usableSales } from '@brickmark/core/market/valuation/usable-sales'
import type { Condition } from '../synthetic/types.ts'
import type { Item, Pair } from './market.ts'

/**
 * The lowest error that is possible on the `base` market: a Bayes filter on a fine grid that knows what no estimator can. It
 * has the scale of the noise, the shares of bad rows and the volatility that the generator used, which sales are fake, and
 * the long-run ratio of used to sealed values of each set.
 */

const STEP = 0.004
const HALF_POINTS = 300
const NOISE: Record<Condition, number> = { sealed: 0.085, used: 0.15 }
const DAILY_VOLATILITY: Record<Condition, number> = { sealed: 0.0033, used: 0.0045 }
/** Of the rows without a flag. */
const GENUINE_SHARE = 0.945
/** Density of lots, parts and slipped decimals over the log prices where they are found. */
const OUTLIER_DENSITY = (1 - GENUINE_SHARE) / 3
/** Spread of the ratio of used to sealed values around its long-run level. */
const RATIO_SD = 0.033

type Gaussian = { mean: number; sd: number }

/** Returns the best possible estimates of the log values of a set on the day of the inputs. */
export function bestEstimates(pair: Pair, input: Record<Condition, EstimateInput>): Record<Condition, number> {
  const own = { sealed: filterSales(pair.sealed, input.sealed), used: filterSales(pair.used, input.used) }
  const ratio = longRunRatio(pair, input.sealed.asOf)
  const shifted = ({ mean, sd }: Gaussian, by: number): Gaussian => ({ mean: mean + by, sd: Math.hypot(sd, RATIO_SD) })
  return {
    sealed: combine(own.sealed, shifted(own.used, -ratio)),
    used: combine(own.used, shifted(own.sealed, ratio)),
  }
}

function combine(a: Gaussian, b: Gaussian): number {
  const weight = b.sd ** 2 / (a.sd ** 2 + b.sd ** 2)
  return weight * a.mean + (1 - weight) * b.mean
}

function longRunRatio({ sealed: { path } }: Pair, asOf: number): number {
  const days = asOf - path.firstDay + 1
  return median(path.used.subarray(0, days).map((value, day) => value - path.sealed[day]!))
}

function filterSales(item: Item, { sales, asOf, growth, prior }: EstimateInput): Gaussian {
  const fakes = new Set(item.sales.filter(({ label }) => label === 'wash').map(({ saleId }) => saleId))
  const usable = usableSales(sales, asOf).filter(({ id }) => !fakes.has(id))
  const logPrices = usable.map(({ day, unitCents }) => Math.log(unitCents) + growth[asOf - day]!)
  const centre = logPrices.length >= 5 || prior === null ? median(logPrices.slice(-30)) : prior.logValue
  const points = Float64Array.from({ length: 2 * HALF_POINTS + 1 }, (_, index) => centre + (index - HALF_POINTS) * STEP)
  let density: Float64Array = points.map((point) =>
    prior === null ? 1 : Math.exp(-0.5 * ((point - prior.logValue) / prior.sd) ** 2),
  )
  let day = usable[0]?.day ?? asOf
  for (const [index, sale] of usable.entries()) {
    density = diffuse(density, DAILY_VOLATILITY[item.condition] * Math.sqrt(sale.day - day))
    day = sale.day
    const scale = NOISE[item.condition]
    density = normalize(
      density.map((value, point) => value * likelihood((logPrices[index]! - points[point]!) / scale, scale)),
    )
  }
  density = normalize(diffuse(density, DAILY_VOLATILITY[item.condition] * Math.sqrt(asOf - day)))
  const mean = density.reduce((sum, value, index) => sum + value * points[index]!, 0)
  const variance = density.reduce((sum, value, index) => sum + value * (points[index]! - mean) ** 2, 0)
  return { mean: quantileOf(density, points), sd: Math.sqrt(variance) }
}

const T4_PEAK = 0.375

function likelihood(distance: number, scale: number): number {
  return (GENUINE_SHARE * T4_PEAK * (1 + distance ** 2 / 4) ** -2.5) / scale + OUTLIER_DENSITY
}

/** Lets the value move: convolves its density with a normal distribution. */
function diffuse(density: Float64Array, sd: number): Float64Array {
  const reach = Math.ceil((4 * sd) / STEP)
  if (reach === 0) return density
  const kernel = Float64Array.from({ length: reach + 1 }, (_, index) => Math.exp(-0.5 * ((index * STEP) / sd) ** 2))
  const total = kernel.reduce((sum, value) => sum + 2 * value, -kernel[0]!)
  return density.map((_, index) => {
    const last = Math.min(density.length - 1, index + reach)
    let sum = 0
    for (let other = Math.max(0, index - reach); other <= last; other++)
      sum += kernel[Math.abs(other - index)]! * density[other]!
    return sum / total
  })
}

function normalize(density: Float64Array): Float64Array {
  const total = density.reduce((sum, value) => sum + value, 0)
  return density.map((value) => value / total)
}

function quantileOf(density: Float64Array, points: Float64Array): number {
  let below = 0
  return points[density.findIndex((value) => (below += value) >= 0.5)]!
}
