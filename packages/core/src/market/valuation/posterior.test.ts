import { describe, expect, test } from 'vitest'
import {
  inferPosterior,
  applyPrior,
  quantile,
  standardDeviation,
  type PriceObservation,
  type ValueDynamics,
} from './posterior.ts'
import { noiseTable } from './price-noise.ts'

const CENTRE = 9
const SPACING = 0.02
const POINTS = 161
const LOWEST = CENTRE - 80 * SPACING
const STILL: ValueDynamics = { weeklyVolatility: 0, weeklyJumpProbability: 0, jumpScale: 0.1 }
const MOVING: ValueDynamics = { weeklyVolatility: 0.015, weeklyJumpProbability: 0.03, jumpScale: 0.15 }
const noise = noiseTable(0.1)

const sold = (age: number, logPrice: number, weight = 1): PriceObservation => ({ age, logPrice, weight })
const now = (evidence: PriceObservation[], motion = STILL) => inferPosterior(CENTRE, evidence, noise, motion)

function shares(values: number[]): number[] {
  const sum = values.reduce((a, b) => a + b, 0)
  return values.map((value) => value / sum)
}

/** Reference implementation of the Bayes update, value by value. */
function updated(before: number[], sales: PriceObservation[]): number[] {
  return shares(
    before.map((probability, index) => {
      const odds = sales.map(({ logPrice, weight }) => {
        const distance = Math.abs(logPrice - LOWEST - index * SPACING)
        return distance > noise.cutoff ? 0 : weight * noise.logOdds[Math.round(distance * noise.resolution)]!
      })
      return probability * Math.exp(odds.reduce((a, b) => a + b, 0))
    }),
  )
}

/** Reference implementation of one week of propagation, in quadratic time. */
function moved(before: number[], { weeklyVolatility, weeklyJumpProbability, jumpScale }: ValueDynamics): number[] {
  const side = (weeklyVolatility / SPACING) ** 2 / 2
  const decay = Math.exp(-SPACING / jumpScale)
  const clamped = (index: number) => before[Math.min(POINTS - 1, Math.max(0, index))]!
  return shares(
    before.map((here, index) => {
      const drifted = (1 - 2 * side) * here + side * clamped(index - 1) + side * clamped(index + 1)
      const landed = before.map((from, other) => from * decay ** Math.abs(index - other)).reduce((a, b) => a + b, 0)
      return (1 - weeklyJumpProbability) * drifted + (weeklyJumpProbability * (1 - decay) * landed) / (1 + decay)
    }),
  )
}

function expectClose(actual: Float64Array, expected: number[]): void {
  expect(
    Array.from(actual, (value, index) => Math.abs(value - expected[index]!)).filter((error) => error > 1e-12),
  ).toEqual([])
  expect(actual).toHaveLength(expected.length)
}

const uniform = Array<number>(POINTS).fill(1 / POINTS)

describe('inferPosterior', () => {
  test('is uniform around the center without sales', () => {
    const posterior = now([])
    expectClose(posterior.probability, uniform)
    expect(quantile(posterior, 0.5)).toBeCloseTo(CENTRE, 12)
    expect(Array.from(posterior.weeklyMedians, (median) => median.toFixed(9))).toEqual([CENTRE.toFixed(9)])
  })

  test('combines the sales of one week', () => {
    const sales = [sold(3, CENTRE + 0.1), sold(2, CENTRE - 0.07, 0.4), sold(0, CENTRE + 0.305)]
    expectClose(now(sales).probability, updated(uniform, sales))
  })

  test('propagates between weeks and records the median of each week', () => {
    const [old, young] = [sold(14, CENTRE + 0.4), sold(0, CENTRE)]
    const twoWeeksAgo = updated(uniform, [old])
    const lastWeek = moved(twoWeeksAgo, MOVING)
    const today = updated(moved(lastWeek, MOVING), [young])
    const posterior = now([old, young], MOVING)
    expectClose(posterior.probability, today)
    const medians = [today, lastWeek, twoWeeksAgo].map((probability) =>
      quantile({ ...posterior, probability: Float64Array.from(probability) }, 0.5),
    )
    expectClose(posterior.weeklyMedians, medians)
  })

  test('handles sales at the edges of the grid', () => {
    const sales = [sold(7, LOWEST), sold(7, LOWEST + 159.5 * SPACING)]
    expectClose(now(sales, MOVING).probability, moved(updated(uniform, sales), MOVING))
  })

  test.each([LOWEST - 0.001, LOWEST + 160 * SPACING + 0.001, 0, 20])(
    'ignores a log price of %d, which is off the grid',
    (logPrice) => {
      expectClose(now([sold(0, logPrice)]).probability, uniform)
    },
  )
})

describe('applyPrior', () => {
  const posterior = now([sold(0, CENTRE)])

  test('multiplies the probabilities and leaves its input unchanged', () => {
    const before = Array.from(posterior.probability)
    const prior = { logValue: CENTRE + 0.2, sd: 0.1 }
    const after = applyPrior(posterior, prior)
    const weighted = before.map((probability, index) => {
      const z = (LOWEST + index * SPACING - prior.logValue) / prior.sd
      return probability * (Math.exp((-z * z) / 2) + 0.05 * Math.exp((-z * z) / 18) + 1e-9)
    })
    expectClose(after.probability, shares(weighted))
    expectClose(posterior.probability, before)
  })

  test('a prior far off the grid changes nothing', () => {
    expectClose(
      applyPrior(posterior, { logValue: CENTRE + 100, sd: 0.1 }).probability,
      Array.from(posterior.probability),
    )
  })
})

describe('quantile and standardDeviation', () => {
  const only = (...indexes: number[]) => ({
    gridMin: LOWEST,
    weeklyMedians: new Float64Array(1),
    probability: Float64Array.from(uniform, (_, index) => (indexes.includes(index) ? 1 / indexes.length : 0)),
  })

  test('quantiles of a uniform distribution are evenly spaced', () => {
    const posterior = now([])
    const width = POINTS * SPACING
    for (const share of [0.1, 0.25, 0.9, 1]) {
      expect(quantile(posterior, share)).toBeCloseTo(LOWEST - SPACING / 2 + share * width, 9)
    }
  })

  test('a single value is its own median and has no spread', () => {
    for (const index of [0, 7, 160]) {
      expect(quantile(only(index), 0.5)).toBeCloseTo(LOWEST + index * SPACING, 9)
      expect(standardDeviation(only(index))).toBe(0)
    }
  })

  test('the deviation of two values is half their distance', () => {
    expect(standardDeviation(only(10, 30))).toBeCloseTo(10 * SPACING, 9)
    expect(quantile(only(10, 30), 0.5)).toBeCloseTo(LOWEST + 10.5 * SPACING, 9)
  })
})
