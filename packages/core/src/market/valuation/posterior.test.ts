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

/** What a sale makes of each probability, value by value. */
function learnt(before: number[], sales: PriceObservation[]): number[] {
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

/** A week, value by value from value to value: the slow way to the same end. */
function moved(before: number[], { weeklyVolatility, weeklyJumpProbability, jumpScale }: ValueDynamics): number[] {
  const side = (weeklyVolatility / SPACING) ** 2 / 2
  const decay = Math.exp(-SPACING / jumpScale)
  const at = (index: number) => before[Math.min(POINTS - 1, Math.max(0, index))]!
  return shares(
    before.map((here, index) => {
      const wandered = (1 - 2 * side) * here + side * at(index - 1) + side * at(index + 1)
      const landed = before.map((from, other) => from * decay ** Math.abs(index - other)).reduce((a, b) => a + b, 0)
      return (1 - weeklyJumpProbability) * wandered + (weeklyJumpProbability * (1 - decay) * landed) / (1 + decay)
    }),
  )
}

function expectClose(actual: Float64Array, expected: number[]): void {
  expect(Array.from(actual, (one, index) => Math.abs(one - expected[index]!)).filter((miss) => miss > 1e-12)).toEqual(
    [],
  )
  expect(actual).toHaveLength(expected.length)
}

const uniform = Array<number>(POINTS).fill(1 / POINTS)

describe('what sales say', () => {
  test('without a sale every value is as likely, and the middle is where it was put', () => {
    const belief = now([])
    expectClose(belief.probability, uniform)
    expect(quantile(belief, 0.5)).toBeCloseTo(CENTRE, 12)
    expect(Array.from(belief.weeklyMedians, (one) => one.toFixed(9))).toEqual([CENTRE.toFixed(9)])
  })

  test('sales of one week are weighed together', () => {
    const sales = [sold(3, CENTRE + 0.1), sold(2, CENTRE - 0.07, 0.4), sold(0, CENTRE + 0.305)]
    expectClose(now(sales).probability, learnt(uniform, sales))
  })

  test('week by week: what moved between them, and the middle of each week', () => {
    const [old, young] = [sold(14, CENTRE + 0.4), sold(0, CENTRE)]
    const twoWeeksAgo = learnt(uniform, [old])
    const lastWeek = moved(twoWeeksAgo, MOVING)
    const today = learnt(moved(lastWeek, MOVING), [young])
    const belief = now([old, young], MOVING)
    expectClose(belief.probability, today)
    const middles = [today, lastWeek, twoWeeksAgo].map((probability) =>
      quantile({ ...belief, probability: Float64Array.from(probability) }, 0.5),
    )
    expectClose(belief.weeklyMedians, middles)
  })

  test('sales at the edges of the grid', () => {
    const sales = [sold(7, LOWEST), sold(7, LOWEST + 159.5 * SPACING)]
    expectClose(now(sales, MOVING).probability, moved(learnt(uniform, sales), MOVING))
  })

  test.each([LOWEST - 0.001, LOWEST + 160 * SPACING + 0.001, 0, 20])(
    'a log price of %d is off the grid, and says nothing',
    (logPrice) => {
      expectClose(now([sold(0, logPrice)]).probability, uniform)
    },
  )
})

describe('one more opinion', () => {
  const belief = now([sold(0, CENTRE)])

  test('multiplies what was believed, which stays as it was', () => {
    const before = Array.from(belief.probability)
    const opinion = { logValue: CENTRE + 0.2, sd: 0.1 }
    const after = applyPrior(belief, opinion)
    const weighed = before.map((probability, index) => {
      const z = (LOWEST + index * SPACING - opinion.logValue) / opinion.sd
      return probability * (Math.exp((-z * z) / 2) + 0.05 * Math.exp((-z * z) / 18) + 1e-9)
    })
    expectClose(after.probability, shares(weighed))
    expectClose(belief.probability, before)
  })

  test('from another world it changes nothing', () => {
    expectClose(applyPrior(belief, { logValue: CENTRE + 100, sd: 0.1 }).probability, Array.from(belief.probability))
  })
})

describe('how sure it is', () => {
  const only = (...places: number[]) => ({
    gridMin: LOWEST,
    weeklyMedians: new Float64Array(1),
    probability: Float64Array.from(uniform, (_, index) => (places.includes(index) ? 1 / places.length : 0)),
  })

  test('shares of equal values lie evenly', () => {
    const belief = now([])
    const width = POINTS * SPACING
    for (const share of [0.1, 0.25, 0.9, 1]) {
      expect(quantile(belief, share)).toBeCloseTo(LOWEST - SPACING / 2 + share * width, 9)
    }
  })

  test('a single value is its own middle, and has no spread', () => {
    for (const index of [0, 7, 160]) {
      expect(quantile(only(index), 0.5)).toBeCloseTo(LOWEST + index * SPACING, 9)
      expect(standardDeviation(only(index))).toBe(0)
    }
  })

  test('two values are half their distance from their middle', () => {
    expect(standardDeviation(only(10, 30))).toBeCloseTo(10 * SPACING, 9)
    expect(quantile(only(10, 30), 0.5)).toBeCloseTo(LOWEST + 10.5 * SPACING, 9)
  })
})
