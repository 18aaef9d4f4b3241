import { describe, expect, test } from 'vitest'
import { median, lookUpPrior, fitPriors, type RatioSample } from './priors.ts'

const members = (count: number, groups: string[], logRatio: number): RatioSample[] =>
  Array.from({ length: count }, () => ({ groups, logRatio }))

describe('priors', () => {
  const known = [...members(15, ['retired', 'castle'], 0.4), ...members(5, ['retired', 'boats'], 0)]

  test.each([
    ['a large group keeps its own median', ['retired', 'castle'], 0.4],
    ['a group of five is shrunk halfway to the wider group', ['retired', 'boats'], 0.2],
    ['an unknown theme uses the prior of its stage', ['retired', 'trains'], 0.4],
    ['an unknown stage uses the prior of all items', ['available', 'castle'], 0.4],
  ])('%s', (_, groups, ratio) => {
    expect(lookUpPrior(fitPriors(known)!, groups, Math.log(5000)).logValue).toBeCloseTo(Math.log(5000) + ratio, 10)
  })

  test('the spread is measured around each item’s own group', () => {
    const spread = [-0.3, -0.1, 0, 0.1, 0.3].flatMap((off) => members(8, ['retired', 'castle'], off))
    // Shrunk twice with the weight of 20 items: all items toward 0.5, and the group toward all items.
    const all = (40 * 1.4826 * 0.1 + 20 * 0.5) / 60
    const group = (40 * 1.4826 * 0.1 + 20 * all) / 60
    expect(lookUpPrior(fitPriors(spread)!, ['retired', 'castle'], 0).sd).toBeCloseTo(group, 5)
  })

  test('the spread of a few items is hardly known', () => {
    expect(lookUpPrior(fitPriors(known.slice(0, 1))!, ['retired', 'castle'], 0).sd).toBeGreaterThan(0.4)
  })

  test('returns null without items', () => {
    expect(fitPriors([])).toBeNull()
  })

  test.each([
    [[3, 1, 2], 2],
    [[4, 1, 2, 3], 2.5],
  ])('the median of %j is %d', (values, middle) => {
    expect(median(values)).toBe(middle)
  })
})
