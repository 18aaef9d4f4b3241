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
 */
export function filterSales(
  posterior: Posterior,
  sales: readonly PriceObservation[],
  noise: NoiseTable,
): FilteredSales {
  const likelihood = new Float64Array(GRID_SIZE)
  const medians = new Float64Array(sales.length)
  let logLikelihood = 0
  for (const [index, sale] of sales.entries()) {
    moveValue(posterior, sale.variance)
    addLikelihood(likelihood, posterior.gridMin, sale, noise)
    logLikelihood += Math.log(bayesUpdate(posterior.probability, likelihood))
    medians[index] = quantile(posterior, 0.5)
  }
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

/** Returns the log value below which the given share of the probability mass falls. */
export function quantile({ gridMin, probability }: Posterior, share: number): number {
  let below = 0
  let index = 0
  while (index < GRID_SIZE - 1 && below + probability[index]! < share) below += probability[index++]!
  return gridMin + (index - 0.5 + (share - below) / probability[index]!) * GRID_STEP
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

/**
 * Lets the value move by a random step of the given variance: convolves with a two-sided geometric distribution, which two
 * running sums do in linear time. It is exact for any variance, and its tails allow for a sudden move now and then.
 */
export function moveValue({ probability }: Posterior, variance: number): void {
  if (variance <= 0) return
  const steps = variance / GRID_STEP ** 2
  const decay = (1 + steps - Math.sqrt(1 + 2 * steps)) / steps
  let above = 0
  const fromAbove = new Float64Array(GRID_SIZE)
  for (let index = GRID_SIZE - 1; index >= 0; index--) {
    fromAbove[index] = above
    above = (above + probability[index]!) * decay
  }
  let below = 0
  for (let index = 0; index < GRID_SIZE; index++) {
    below = below * decay + probability[index]!
    probability[index] = below + fromAbove[index]!
  }
  normalize(probability)
}

// A price off the grid fits all values equally badly and is ignored. Beyond the cutoff a price is an outlier for every
// value alike, so those values keep their likelihood.
function addLikelihood(
  likelihood: Float64Array,
  gridMin: number,
  { logPrice, weight }: PriceObservation,
  { logOdds, cutoff, resolution }: NoiseTable,
): void {
  const distance = logPrice - gridMin
  if (distance < 0 || distance > (GRID_SIZE - 1) * GRID_STEP) return
  const first = Math.max(0, Math.ceil((distance - cutoff) / GRID_STEP))
  const last = Math.min(GRID_SIZE - 1, Math.floor((distance + cutoff) / GRID_STEP))
  for (let index = first; index <= last; index++) {
    likelihood[index]! += weight * logOdds[Math.round(Math.abs(distance - index * GRID_STEP) * resolution)]!
  }
}

/** Returns the likelihood of the update. */
function bayesUpdate(probability: Float64Array, likelihood: Float64Array): number {
  for (let index = 0; index < GRID_SIZE; index++) {
    if (likelihood[index] === 0) continue
    probability[index]! *= Math.exp(likelihood[index]!)
    likelihood[index] = 0
  }
  return normalize(probability)
}

/** Makes the probabilities sum to 1; returns their sum before. */
function normalize(probability: Float64Array): number {
  let sum = 0
  for (let index = 0; index < GRID_SIZE; index++) sum += probability[index]!
  const factor = 1 / sum
  for (let index = 0; index < GRID_SIZE; index++) probability[index]! *= factor
  return sum
}
