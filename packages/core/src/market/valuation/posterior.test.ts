import { describe, expect, test } from 'vitest'
import {
  applyPrior,
  filterSales,
  moveValue,
  priorPosterior,
  quantile,
  standardDeviation,
  type PriceObservation,
} from './posterior.ts'
import { noiseTable } from './price-noise.ts'

const CENTER = 9
const SPACING = 0.02
const POINTS = 161
const LOWEST = CENTER - 80 * SPACING
const noise = noiseTable(0.1)

const sold = (logPrice: number, variance = 0, weight = 1): PriceObservation => ({ logPrice, weight, variance })
const filter = (...sales: PriceObservation[]) => filterSales(priorPosterior(CENTER, null), sales, noise)

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

function expectClose(actual: Float64Array, expected: number[]): void {
  expect(
    Array.from(actual, (value, index) => Math.abs(value - expected[index]!)).filter((error) => error > 1e-12),
  ).toEqual([])
  expect(actual).toHaveLength(expected.length)
}

const uniform = Array<number>(POINTS).fill(1 / POINTS)

const only = (...indexes: number[]) => ({
  gridMin: LOWEST,
  probability: Float64Array.from(uniform, (_, index) => (indexes.includes(index) ? 1 / indexes.length : 0)),
})

describe('filterSales', () => {
  test('is uniform around the center without sales', () => {
    const { posterior, logLikelihood } = filter()
    expectClose(posterior.probability, uniform)
    expect(quantile(posterior, 0.5)).toBeCloseTo(CENTER, 12)
    expect(logLikelihood).toBe(0)
  })

  test('combines sales, and records the median after each', () => {
    const sales = [sold(CENTER + 0.1), sold(CENTER - 0.07, 0, 0.4), sold(CENTER + 0.305)]
    const { posterior, medians } = filter(...sales)
    expectClose(posterior.probability, updated(uniform, sales))
    const afterFirst = { ...posterior, probability: Float64Array.from(updated(uniform, sales.slice(0, 1))) }
    expect(medians[0]).toBeCloseTo(quantile(afterFirst, 0.5), 9)
    expect(medians[2]).toBeCloseTo(quantile(posterior, 0.5), 9)
  })

  test('a value that may have moved trusts its newest sale more', () => {
    const [still, moving] = [0, 0.04].map((variance) =>
      filter(sold(CENTER), sold(CENTER), sold(CENTER + 0.3, variance)),
    )
    expect(moving!.medians[2]).toBeGreaterThan(still!.medians[2]! + 0.05)
  })

  test('sales that agree are more likely than sales that do not', () => {
    const { logLikelihood } = filter(sold(CENTER), sold(CENTER))
    expect(logLikelihood).toBeGreaterThan(filter(sold(CENTER), sold(CENTER + 0.4)).logLikelihood)
  })

  test.each([LOWEST - 0.001, LOWEST + 160 * SPACING + 0.001, 0, 20])(
    'ignores a log price of %d, which is off the grid',
    (logPrice) => {
      expectClose(filter(sold(logPrice)).posterior.probability, uniform)
    },
  )
})

describe('moveValue', () => {
  test.each([1e-6, 1e-4, 4e-4, 0.01, 0.04])('adds a variance of %d, however small or large', (variance) => {
    const posterior = only(80)
    moveValue(posterior, variance)
    expect(standardDeviation(posterior) ** 2 / variance).toBeCloseTo(1, 1)
    expect(quantile(posterior, 0.5)).toBeCloseTo(CENTER, 9)
    expect(Math.min(...posterior.probability)).toBeGreaterThanOrEqual(0)
  })

  test('changes nothing without a variance', () => {
    const posterior = only(10, 30)
    moveValue(posterior, 0)
    expect(posterior).toEqual(only(10, 30))
  })
})

describe('applyPrior', () => {
  const { posterior } = filter(sold(CENTER))

  test('multiplies the probabilities and leaves its input unchanged', () => {
    const before = Array.from(posterior.probability)
    const prior = { logValue: CENTER + 0.2, sd: 0.1 }
    const weighted = before.map((probability, index) => {
      const z = (LOWEST + index * SPACING - prior.logValue) / prior.sd
      return probability * (1 + (z * z) / 4) ** -2.5
    })
    expectClose(applyPrior(posterior, prior).probability, shares(weighted))
    expectClose(posterior.probability, before)
  })

  test('a prior far off the grid changes next to nothing', () => {
    const after = applyPrior(posterior, { logValue: CENTER + 100, sd: 0.1 })
    expect(Math.abs(quantile(after, 0.5) - quantile(posterior, 0.5))).toBeLessThan(0.01)
  })
})

describe('quantile and standardDeviation', () => {
  test('quantiles of a uniform distribution are evenly spaced', () => {
    const posterior = priorPosterior(CENTER, null)
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
