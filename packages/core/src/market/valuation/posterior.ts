import type { NoiseTable } from './price-noise.ts'

/** A probability for each of a row of equally spaced log values, and its median by age in weeks as it came to be. */
export type Posterior = { gridMin: number; probability: Float64Array; weeklyMedians: Float64Array }

/** One sale, carried to the present: its age in days, its log price and how much it may weigh. */
export type PriceObservation = { age: number; logPrice: number; weight: number }

/** What a value does between two sales: it wanders, and once in a while it jumps. */
export type ValueDynamics = { weeklyVolatility: number; weeklyJumpProbability: number; jumpScale: number }

const GRID_STEP = 0.02
const GRID_HALF_SIZE = 80
const GRID_SIZE = 2 * GRID_HALF_SIZE + 1
const WEEK = 7
const PRIOR_TAIL_WEIGHT = 0.05
// An opinion from another world must not wipe out every value on the grid.
const PRIOR_FLOOR = 1e-9

/**
 * What the sales, oldest first, say of the present value, given what was believed without them. Week by week: the value
 * may have moved, then each sale of the week makes the values near its price more likely.
 */
export function inferPosterior(
  centre: number,
  evidence: readonly PriceObservation[],
  noise: NoiseTable,
  motion: ValueDynamics,
): Posterior {
  const weeks = evidence.length === 0 ? 0 : Math.floor(evidence[0]!.age / WEEK)
  const belief = {
    gridMin: centre - GRID_HALF_SIZE * GRID_STEP,
    probability: new Float64Array(GRID_SIZE).fill(1 / GRID_SIZE),
    weeklyMedians: new Float64Array(weeks + 1),
  }
  const likelihood = new Float64Array(GRID_SIZE)
  const scratch = new Float64Array(GRID_SIZE)
  let next = 0
  for (let week = weeks; week >= 0; week--) {
    const first = next
    for (; next < evidence.length && evidence[next]!.age >= week * WEEK; next++) {
      addLikelihood(likelihood, belief.gridMin, evidence[next]!, noise)
    }
    if (next > first) bayesUpdate(belief.probability, likelihood)
    belief.weeklyMedians[week] = quantile(belief, 0.5)
    if (week > 0) propagate(belief.probability, scratch, motion)
  }
  return belief
}

/** The belief after one more, independent opinion: normal, with a wide tail in case it is no good. */
export function applyPrior(belief: Posterior, { logValue, sd }: { logValue: number; sd: number }): Posterior {
  const probability = belief.probability.slice()
  for (let index = 0; index < GRID_SIZE; index++) {
    const z = (belief.gridMin + index * GRID_STEP - logValue) / sd
    probability[index]! *= Math.exp(-0.5 * z * z) + PRIOR_TAIL_WEIGHT * Math.exp(-0.5 * (z / 3) * (z / 3)) + PRIOR_FLOOR
  }
  normalize(probability)
  return { ...belief, probability }
}

/** The log value below which a share of the probability lies. */
export function quantile({ gridMin, probability }: Posterior, share: number): number {
  let below = 0
  let index = 0
  while (index < GRID_SIZE - 1 && below + probability[index]! < share) below += probability[index++]!
  return gridMin + (index - 0.5 + (share - below) / probability[index]!) * GRID_STEP
}

/** Standard deviation of the log value. */
export function standardDeviation({ probability }: Posterior): number {
  let mean = 0
  let square = 0
  for (let index = 0; index < GRID_SIZE; index++) {
    mean += probability[index]! * index
    square += probability[index]! * index * index
  }
  return Math.sqrt(Math.max(0, square - mean * mean)) * GRID_STEP
}

// A price off the grid fits no value on it better than another, and says nothing; nor does any about values out of its
// reach, where it would be odd whichever of them holds.
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

// Wandering is a three-point blur of the right variance; a jump is a blur with a two-sided exponential, which two
// running sums make in linear time.
function propagate(
  probability: Float64Array,
  scratch: Float64Array,
  { weeklyVolatility, weeklyJumpProbability, jumpScale }: ValueDynamics,
): void {
  const diffusion = weeklyVolatility ** 2 / (2 * GRID_STEP ** 2)
  const decay = Math.exp(-GRID_STEP / jumpScale)
  const share = (weeklyJumpProbability * (1 - decay)) / (1 + decay)
  let running = 0
  for (let index = 0; index < GRID_SIZE; index++) {
    running = running * decay + probability[index]!
    scratch[index] = share * running
  }
  running = 0
  for (let index = GRID_SIZE - 1; index >= 0; index--) {
    scratch[index]! += share * running
    running = (running + probability[index]!) * decay
  }
  const stay = 1 - weeklyJumpProbability
  let left = probability[0]!
  for (let index = 0; index < GRID_SIZE; index++) {
    const here = probability[index]!
    const right = index + 1 < GRID_SIZE ? probability[index + 1]! : here
    probability[index] = stay * (here + diffusion * (left - 2 * here + right)) + scratch[index]!
    left = here
  }
  normalize(probability)
}

function normalize(probability: Float64Array): void {
  let sum = 0
  for (let index = 0; index < GRID_SIZE; index++) sum += probability[index]!
  for (let index = 0; index < GRID_SIZE; index++) probability[index]! /= sum
}
