import type { NoiseTable } from './price-noise.ts'

/** A probability for each of a row of equally spaced log values, and its median by age in weeks as it came to be. */
export type Belief = { lowest: number; probability: Float64Array; track: Float64Array }

/** One sale, carried to the present: its age in days, its log price and how much it may weigh. */
export type Evidence = { age: number; logPrice: number; weight: number }

/** What a value does between two sales: it wanders, and once in a while it jumps. */
export type Motion = { wanderPerWeek: number; jumpPerWeek: number; jumpScale: number }

const SPACING = 0.02
const HALF_WIDTH = 80
const POINTS = 2 * HALF_WIDTH + 1
const WEEK = 7
const OPINION_TAIL = 0.05
// An opinion from another world must not wipe out every value on the grid.
const OPINION_FLOOR = 1e-9

/**
 * What the sales, oldest first, say of the present value, given what was believed without them. Week by week: the value
 * may have moved, then each sale of the week makes the values near its price more likely.
 */
export function believe(centre: number, evidence: readonly Evidence[], noise: NoiseTable, motion: Motion): Belief {
  const weeks = evidence.length === 0 ? 0 : Math.floor(evidence[0]!.age / WEEK)
  const belief = {
    lowest: centre - HALF_WIDTH * SPACING,
    probability: new Float64Array(POINTS).fill(1 / POINTS),
    track: new Float64Array(weeks + 1),
  }
  const likelihood = new Float64Array(POINTS)
  const scratch = new Float64Array(POINTS)
  let next = 0
  for (let week = weeks; week >= 0; week--) {
    const first = next
    for (; next < evidence.length && evidence[next]!.age >= week * WEEK; next++) {
      addLikelihood(likelihood, belief.lowest, evidence[next]!, noise)
    }
    if (next > first) learn(belief.probability, likelihood)
    belief.track[week] = quantile(belief, 0.5)
    if (week > 0) move(belief.probability, scratch, motion)
  }
  return belief
}

/** The belief after one more, independent opinion: normal, with a wide tail in case it is no good. */
export function combine(belief: Belief, { logValue, sd }: { logValue: number; sd: number }): Belief {
  const probability = belief.probability.slice()
  for (let place = 0; place < POINTS; place++) {
    const z = (belief.lowest + place * SPACING - logValue) / sd
    probability[place]! *= Math.exp(-0.5 * z * z) + OPINION_TAIL * Math.exp(-0.5 * (z / 3) * (z / 3)) + OPINION_FLOOR
  }
  normalise(probability)
  return { ...belief, probability }
}

/** The log value below which a share of the probability lies. */
export function quantile({ lowest, probability }: Belief, share: number): number {
  let below = 0
  let place = 0
  while (place < POINTS - 1 && below + probability[place]! < share) below += probability[place++]!
  return lowest + (place - 0.5 + (share - below) / probability[place]!) * SPACING
}

/** Standard deviation of the log value. */
export function spreadOf({ probability }: Belief): number {
  let mean = 0
  let square = 0
  for (let place = 0; place < POINTS; place++) {
    mean += probability[place]! * place
    square += probability[place]! * place * place
  }
  return Math.sqrt(Math.max(0, square - mean * mean)) * SPACING
}

// A price off the grid fits no value on it better than another, and says nothing; nor does any about values out of its
// reach, where it would be odd whichever of them holds.
function addLikelihood(
  likelihood: Float64Array,
  lowest: number,
  { logPrice, weight }: Evidence,
  { logOdds, reach, perUnit }: NoiseTable,
): void {
  const distance = logPrice - lowest
  if (distance < 0 || distance > (POINTS - 1) * SPACING) return
  const first = Math.max(0, Math.ceil((distance - reach) / SPACING))
  const last = Math.min(POINTS - 1, Math.floor((distance + reach) / SPACING))
  for (let place = first; place <= last; place++) {
    likelihood[place]! += weight * logOdds[Math.round(Math.abs(distance - place * SPACING) * perUnit)]!
  }
}

function learn(probability: Float64Array, likelihood: Float64Array): void {
  for (let place = 0; place < POINTS; place++) {
    if (likelihood[place] === 0) continue
    probability[place]! *= Math.exp(likelihood[place]!)
    likelihood[place] = 0
  }
  normalise(probability)
}

// Wandering is a three-point blur of the right variance; a jump is a blur with a two-sided exponential, which two
// running sums make in linear time.
function move(
  probability: Float64Array,
  scratch: Float64Array,
  { wanderPerWeek, jumpPerWeek, jumpScale }: Motion,
): void {
  const side = wanderPerWeek ** 2 / (2 * SPACING ** 2)
  const decay = Math.exp(-SPACING / jumpScale)
  const share = (jumpPerWeek * (1 - decay)) / (1 + decay)
  let running = 0
  for (let place = 0; place < POINTS; place++) {
    running = running * decay + probability[place]!
    scratch[place] = share * running
  }
  running = 0
  for (let place = POINTS - 1; place >= 0; place--) {
    scratch[place]! += share * running
    running = (running + probability[place]!) * decay
  }
  const stay = 1 - jumpPerWeek
  let left = probability[0]!
  for (let place = 0; place < POINTS; place++) {
    const here = probability[place]!
    const right = place + 1 < POINTS ? probability[place + 1]! : here
    probability[place] = stay * (here + side * (left - 2 * here + right)) + scratch[place]!
    left = here
  }
  normalise(probability)
}

function normalise(probability: Float64Array): void {
  let sum = 0
  for (let place = 0; place < POINTS; place++) sum += probability[place]!
  for (let place = 0; place < POINTS; place++) probability[place]! /= sum
}
