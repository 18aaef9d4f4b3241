import type { NoiseTable } from './price-noise.ts'

/** Probabilities on a grid of equally spaced log values. */
export type Posterior = { gridMin: number; probability: Float64Array }

/** What is known about a log value: its center and standard deviation. */
export type Gaussian = { logValue: number; sd: number }

/** One sale: its log price, its weight, and the variance of the value's moves since the sale before it. */
export type PriceObservation = { logPrice: number; weight: number; variance: number }

const GRID_STEP = 0.02
const GRID_HALF_SIZE = 80
const GRID_SIZE = 2 * GRID_HALF_SIZE + 1
/** Far below the largest number. */
const MAX_SUM = 1e100

/** Returns the distribution of a log value before any sale: that of the prior, on a grid around `center`. */
export function priorPosterior(center: number, prior: Gaussian | null): Posterior {
  const uniform = {
    gridMin: center - GRID_HALF_SIZE * GRID_STEP,
    probability: new Float64Array(GRID_SIZE).fill(1 / GRID_SIZE),
  }
  return prior === null ? uniform : applyPrior(uniform, prior)
}

/** A filtered series of sales: the distribution after the last one, and the median after each. */
export type FilteredSales = { posterior: Posterior; medians: Float64Array; logLikelihood: number }

/**
 * Grid-based Bayes filter: lets the value move before each sale (oldest first) and updates it on the sale's price. Changes
 * `posterior`, the distribution before the first sale. The log likelihood is relative to that of outliers.
 *
 * Probabilities are scaled to a sum of 1 at the end, not after each step: doing both steps in three passes over the grid
 * instead of seven takes 0.6 of the time of a valuation.
 */
export function filterSales(
  posterior: Posterior,
  sales: readonly PriceObservation[],
  noise: NoiseTable,
): FilteredSales {
  const medians = new Float64Array(sales.length)
  let logLikelihood = 0
  let sum = 1
  for (const [index, sale] of sales.entries()) {
    const before = sale.variance > 0 ? spread(posterior.probability, sale.variance) : sum
    sum = updateOnSale(posterior, sale, noise, before)
    logLikelihood += Math.log(sum / before)
    medians[index] = quantile(posterior, 0.5, sum)
    if (sum < MAX_SUM) continue
    normalize(posterior.probability)
    sum = 1
  }
  normalize(posterior.probability)
  return { posterior, medians, logLikelihood }
}

/** Updates the posterior with an independent prior, which has wide tails (Student's t4) in case it is wrong. */
export function applyPrior(posterior: Posterior, { logValue, sd }: Gaussian): Posterior {
  const probability = posterior.probability.slice()
  for (let index = 0; index < GRID_SIZE; index++) {
    const z = (posterior.gridMin + index * GRID_STEP - logValue) / sd
    probability[index]! *= (1 + (z * z) / 4) ** -2.5
  }
  normalize(probability)
  return { ...posterior, probability }
}

/** Returns the log value below which the given share of the probabilities falls, which add up to `sum`. */
export function quantile({ gridMin, probability }: Posterior, share: number, sum = 1): number {
  const target = share * sum
  let below = 0
  let index = 0
  while (index < GRID_SIZE - 1 && below + probability[index]! < target) below += probability[index++]!
  return gridMin + (index - 0.5 + (target - below) / probability[index]!) * GRID_STEP
}

/** Returns the standard deviation of the log value. */
export function standardDeviation({ probability }: Posterior): number {
  let mean = 0
  let square = 0
  for (let index = 0; index < GRID_SIZE; index++) {
    mean += probability[index]! * index
    square += probability[index]! * index * index
  }
  return Math.sqrt(Math.max(0, square - mean * mean)) * GRID_STEP
}

/** Lets the value move by a random step of the given variance. */
export function moveValue({ probability }: Posterior, variance: number): void {
  if (variance <= 0) return
  spread(probability, variance)
  normalize(probability)
}

/**
 * Convolves with a two-sided geometric distribution, which two running sums do in linear time. It is exact for any variance,
 * and its tails allow for a sudden move now and then. Returns the sum of the probabilities: the edges of the grid lose some.
 */
function spread(probability: Float64Array, variance: number): number {
  const steps = variance / GRID_STEP ** 2
  const decay = (1 + steps - Math.sqrt(1 + 2 * steps)) / steps
  const scale = (1 - decay) / (1 + decay)
  let above = 0
  for (let index = GRID_SIZE - 1; index >= 0; index--) {
    fromAbove[index] = above
    above = (above + probability[index]!) * decay
  }
  let below = 0
  let sum = 0
  for (let index = 0; index < GRID_SIZE; index++) {
    below = below * decay + probability[index]!
    const moved = (below + fromAbove[index]!) * scale
    probability[index] = moved
    sum += moved
  }
  return sum
}

const fromAbove = new Float64Array(GRID_SIZE)

/**
 * Multiplies the probabilities, which add up to `sum`, by how likely each value makes the price; returns their new sum. A price
 * off the grid fits all values equally badly and is ignored. Beyond the cutoff a price is an outlier for every value alike, so
 * those values keep their probability.
 */
function updateOnSale(
  { gridMin, probability }: Posterior,
  { logPrice, weight }: PriceObservation,
  { odds, logOdds, cutoff, resolution }: NoiseTable,
  sum: number,
): number {
  const distance = logPrice - gridMin
  if (distance < 0 || distance > (GRID_SIZE - 1) * GRID_STEP) return sum
  const first = Math.max(0, Math.ceil((distance - cutoff) / GRID_STEP))
  const last = Math.min(GRID_SIZE - 1, Math.floor((distance + cutoff) / GRID_STEP))
  let increase = 0
  for (let index = first; index <= last; index++) {
    const position = Math.floor(Math.abs(distance - index * GRID_STEP) * resolution + 0.5)
    const before = probability[index]!
    const after = before * (weight === 1 ? odds[position]! : Math.exp(weight * logOdds[position]!))
    probability[index] = after
    increase += after - before
  }
  return sum + increase
}

/** Makes the probabilities sum to 1. */
function normalize(probability: Float64Array): void {
  let sum = 0
  for (let index = 0; index < GRID_SIZE; index++) sum += probability[index]!
  const factor = 1 / sum
  for (let index = 0; index < GRID_SIZE; index++) probability[index]! *= factor
}
