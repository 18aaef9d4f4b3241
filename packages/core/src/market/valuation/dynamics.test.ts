import { describe, expect, test } from 'vitest'
import { fitDynamics, varianceBetween, type Dynamics, type PriceSeries } from './dynamics.ts'

const DEFAULT_DYNAMICS: Dynamics = { scale: 0.1, volatility: { base: 6e-5, release: 5e-4 } }

/** A uniform number around 0 with a standard deviation of 1; the same on every machine. */
function deviate(seed: number): number {
  const state = Math.imul(Math.imul(seed + 1, 0x9e3779b1) ^ (seed << 7), 0x85ebca6b) >>> 0
  return (state / 2 ** 32 - 0.5) * Math.sqrt(12)
}

function series(item: number, noise: number, dailySd: number): PriceSeries {
  const days = Int32Array.from({ length: 50 }, (_, index) => 10 * index)
  let level = 9
  const logPrices = Float64Array.from(days, (_, index) => {
    level += dailySd * Math.sqrt(10) * deviate(1000 * item + index)
    return level + noise * deviate(7 + 2000 * item + index)
  })
  return { days, logPrices, releaseDay: null }
}

describe('varianceBetween', () => {
  const volatility = { base: 1e-4, release: 1e-3 }

  test('grows with time, and faster around the release', () => {
    expect(varianceBetween(volatility, null, 0, 30)).toBeCloseTo(0.003, 12)
    expect(varianceBetween(volatility, 100, 70, 100)).toBeCloseTo(0.033, 12)
    expect(varianceBetween(volatility, 100, 100, 130)).toBeLessThan(0.033)
    expect(varianceBetween(volatility, 100, 1000, 1030)).toBeCloseTo(0.003, 6)
  })

  test('is the sum of its parts', () => {
    const parts = varianceBetween(volatility, 100, 80, 120) + varianceBetween(volatility, 100, 120, 200)
    expect(parts).toBeCloseTo(varianceBetween(volatility, 100, 80, 200), 12)
  })
})

describe('fitDynamics', () => {
  const fit = (noise: number, dailySd: number) =>
    fitDynamics(
      Array.from({ length: 30 }, (_, item) => series(item, noise, dailySd)),
      DEFAULT_DYNAMICS,
    )

  test('tells noise from movement', () => {
    const noisy = fit(0.2, 0.001)
    const moving = fit(0.03, 0.02)
    expect(noisy.scale).toBeGreaterThan(2 * moving.scale)
    expect(moving.volatility.base).toBeGreaterThan(5 * noisy.volatility.base)
    expect(moving.volatility.base).toBeGreaterThan(1e-4)
  })

  test('keeps the defaults without sales', () => {
    expect(fitDynamics([], DEFAULT_DYNAMICS)).toEqual(DEFAULT_DYNAMICS)
  })

  test('many sales of one day count once', () => {
    const once = series(1, 0.1, 0.001)
    const repeated = {
      ...once,
      days: Int32Array.from(repeat(once.days)),
      logPrices: Float64Array.from(repeat(once.logPrices)),
    }
    expect(fitDynamics([repeated], DEFAULT_DYNAMICS)).toEqual(fitDynamics([once], DEFAULT_DYNAMICS))
  })
})

function repeat(values: Iterable<number>): number[] {
  return [...values].flatMap((value) => [value, value, value])
}
