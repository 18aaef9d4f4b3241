import { describe, expect, test } from 'vitest'
import { confidenceBand, nextIndexPoint } from './brick-index.ts'

const START = { level: 100, logError: 0, sets: 20 }

describe('nextIndexPoint', () => {
  test('moves by the average change of the sets', () => {
    const point = nextIndexPoint(
      START,
      Array.from({ length: 20 }, () => Math.log(1.02)),
    )!
    expect(point.level).toBeCloseTo(102, 9)
    expect(point.logError).toBeCloseTo(0, 9)
    expect(point.sets).toBe(20)
  })

  test('ignores the largest rises and falls', () => {
    const changes = [...Array.from({ length: 18 }, () => 0.01), 3, -3]
    expect(nextIndexPoint(START, changes)!.level).toBeCloseTo(100 * Math.exp(0.01), 9)
  })

  test('needs ten sets', () => {
    expect(
      nextIndexPoint(
        START,
        Array.from({ length: 9 }, () => 0.01),
      ),
    ).toBeUndefined()
    expect(
      nextIndexPoint(
        START,
        Array.from({ length: 10 }, () => 0.01),
      ),
    ).toBeDefined()
  })

  test('the error grows with every month and shrinks with the number of sets', () => {
    const scattered = (sets: number) => Array.from({ length: sets }, (_, index) => (index % 2 === 0 ? 0.05 : -0.03))
    const first = nextIndexPoint(START, scattered(20))!
    const second = nextIndexPoint(first, scattered(20))!
    expect(second.logError).toBeCloseTo(first.logError * Math.SQRT2, 9)
    expect(nextIndexPoint(START, scattered(2000))!.logError).toBeCloseTo(first.logError / 10, 3)
  })
})

test('confidenceBand surrounds the level', () => {
  const { low, high } = confidenceBand({ level: 120, logError: 0.02 })
  expect(low).toBeCloseTo(120 * Math.exp(-0.0329), 9)
  expect(high).toBeCloseTo(120 * Math.exp(0.0329), 9)
})
