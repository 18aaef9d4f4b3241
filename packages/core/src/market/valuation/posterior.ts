import type { NoiseTable } from './price-noise.ts'

/** Probabilities on a grid of equally spaced log values, and the filtered median of each week, indexed by age. */
export type Posterior = { gridMin: number; probability: Float64Array; weeklyMedians: Float64Array }

/** One sale: its age in days, its log price adjusted for growth up to the present, and its weight. */
export type PriceObservation = { age: number; logPrice: number; weight: number }

/** How a value moves between sales: it drifts randomly and occasionally jumps. */
export type ValueDynamics = { weeklyVolatility: number; weeklyJumpProbability: number; jumpScale: number }

/** Reused from week to week. */
type Scratch = { jumpsUp: Float64Array; jumpsDown: Float64Array }

const GRID_STEP = 0.02
const GRID_HALF_SIZE = 80
const GRID_SIZE = 2 * GRID_HALF_SIZE + 1
const WEEK = 7
const PRIOR_TAIL_WEIGHT = 0.05
// Keeps a wildly wrong prior from zeroing out the whole grid.
const PRIOR_FLOOR = 1e-9

/**
 * Grid-based Bayes filter: starts from a uniform distribution around `centre`, propagates the value week by week and
 * updates it on that week's sales (oldest first).
 */
export function inferPosterior(
  centre: number,
  evidence: readonly PriceObservation[],
  noise: NoiseTable,
  motion: ValueDynamics,
): Posterior {
  const weeks = evidence.length === 0 ? 0 : Math.floor(evidence[0]!.age / WEEK)
  const posterior = {
    gridMin: centre - GRID_HALF_SIZE * GRID_STEP,
    probability: new Float64Array(GRID_SIZE).fill(1 / GRID_SIZE),
    weeklyMedians: new Float64Array(weeks + 1),
  }
  const likelihood = new Float64Array(GRID_SIZE)
  const scratch = { jumpsUp: new Float64Array(GRID_SIZE), jumpsDown: new Float64Array(GRID_SIZE) }
  let next = 0
  for (let week = weeks; week >= 0; week--) {
    const first = next
    for (; next < evidence.length && evidence[next]!.age >= week * WEEK; next++) {
      addLikelihood(likelihood, posterior.gridMin, evidence[next]!, noise)
    }
    if (next > first) bayesUpdate(posterior.probability, likelihood)
    posterior.weeklyMedians[week] = quantile(posterior, 0.5)
    if (week > 0) propagate(posterior.probability, scratch, motion)
  }
  return posterior
}

/** Updates the posterior with an independent prior: normal, with a wide tail in case the prior is wrong. */
export function applyPrior(posterior: Posterior, { logValue, sd }: { logValue: number; sd: number }): Posterior {
  const probability = posterior.probability.slice()
  for (let index = 0; index < GRID_SIZE; index++) {
    const z = (posterior.gridMin + index * GRID_STEP - logValue) / sd
    probability[index]! *= Math.exp(-0.5 * z * z) + PRIOR_TAIL_WEIGHT * Math.exp(-0.5 * (z / 3) * (z / 3)) + PRIOR_FLOOR
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

function bayesUpdate(probability: Float64Array, likelihood: Float64Array): void {
  for (let index = 0; index < GRID_SIZE; index++) {
    if (likelihood[index] === 0) continue
    probability[index]! *= Math.exp(likelihood[index]!)
    likelihood[index] = 0
  }
  normalize(probability)
}

// Drift is a three-point blur with the same variance; jumps are a convolution with a two-sided exponential, computed in
// linear time with two running sums. They go in opposite directions in one loop, so that neither waits for the other.
function propagate(
  probability: Float64Array,
  { jumpsUp, jumpsDown }: Scratch,
  { weeklyVolatility, weeklyJumpProbability, jumpScale }: ValueDynamics,
): void {
  const diffusion = weeklyVolatility ** 2 / (2 * GRID_STEP ** 2)
  const decay = Math.exp(-GRID_STEP / jumpScale)
  const share = (weeklyJumpProbability * (1 - decay)) / (1 + decay)
  let below = 0
  let above = 0
  for (let index = 0, mirrored = GRID_SIZE - 1; index < GRID_SIZE; index++, mirrored--) {
    below = below * decay + probability[index]!
    jumpsUp[index] = below
    jumpsDown[mirrored] = above
    above = (above + probability[mirrored]!) * decay
  }
  const stay = 1 - weeklyJumpProbability
  let left = probability[0]!
  let here = left
  let sum = 0
  for (let index = 0; index < GRID_SIZE; index++) {
    const right = index + 1 < GRID_SIZE ? probability[index + 1]! : here
    const moved = stay * (here + diffusion * (left - 2 * here + right)) + share * (jumpsUp[index]! + jumpsDown[index]!)
    probability[index] = moved
    sum += moved
    left = here
    here = right
  }
  divideBy(sum, probability)
}

function normalize(probability: Float64Array): void {
  let sum = 0
  for (let index = 0; index < GRID_SIZE; index++) sum += probability[index]!
  divideBy(sum, probability)
}

function divideBy(sum: number, probability: Float64Array): void {
  const factor = 1 / sum
  for (let index = 0; index < GRID_SIZE; index++) probability[index]! *= factor
}
