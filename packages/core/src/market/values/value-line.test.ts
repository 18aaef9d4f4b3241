import { describe, expect, test } from 'vitest'
import { appendTodayValue, drawPoints, interpolateValues, ValueLine, type ValuePoint } from './value-line.ts'

const DAYS = [10, 12, 14, 16, 18]

function draw(line: ValueLine, points: [number, number][], first?: number, until?: number): number[] {
  line.start(first, until)
  drawPoints(
    line,
    points.map(([day, value]) => ({ day, value })),
  )
  return [...line.values]
}

test('interpolates to the cent between known values and leaves the days outside of them unknown', () => {
  const line = new ValueLine(DAYS)
  expect(
    draw(line, [
      [11, 100],
      [14, 201],
      [17, 300],
    ]),
  ).toEqual([NaN, 134, 201, 267, NaN])
  expect(draw(line, [])).toEqual([NaN, NaN, NaN, NaN, NaN])
})

test('a new line does not continue the one before', () => {
  const line = new ValueLine(DAYS)
  draw(line, [
    [10, 100],
    [18, 500],
  ])
  expect(
    draw(line, [
      [14, 200],
      [18, 200],
    ]),
  ).toEqual([NaN, NaN, 200, 200, 200])
})

test('only writes the days from the first index up to the second', () => {
  const line = new ValueLine(DAYS)
  draw(line, [
    [10, 100],
    [18, 100],
  ])
  expect(
    draw(
      line,
      [
        [0, 7],
        [30, 7],
      ],
      1,
      3,
    ),
  ).toEqual([100, 7, 7, 100, 100])
  expect(draw(line, [[13, 5]], 1, 4)).toEqual([100, NaN, NaN, NaN, 100])
})

describe('interpolateValues', () => {
  const points: ValuePoint[] = [
    { day: 10, value: 100 },
    { day: 20, value: 200 },
    { day: 30, value: 100 },
  ]
  test('interpolates linearly between two known points', () => {
    expect(interpolateValues([10, 13, 20, 25, 30], points)).toEqual([100, 130, 200, 150, 100])
  })
  test('returns null before the first and after the last point', () => {
    expect(interpolateValues([9, 31], points)).toEqual([null, null])
    expect(interpolateValues([1, 2], [])).toEqual([null, null])
  })
})

test('appendTodayValue drops points from today on and appends the current value, if there is one', () => {
  const past = [18, 19, 20, 21].map((day) => ({ day, value: 1 }))
  expect(appendTodayValue(past, 5, 20)).toEqual([...past.slice(0, 2), { day: 20, value: 5 }])
  expect(appendTodayValue(past, null, 20)).toEqual(past.slice(0, 2))
})
