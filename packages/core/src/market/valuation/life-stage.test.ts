import { expect, test } from 'vitest'
import { isRetired, lifeStage } from './life-stage.ts'

const released = (retireDay: number | null = null) => ({ releaseDay: 1000, retireDay })

test.each([
  [{ releaseDay: null, retireDay: 2000 }, 1500, 'unknown'],
  [{ releaseDay: null, retireDay: null, releaseYear: 2007 }, 20_000, 'released 10+ years ago'],
  [{ releaseDay: null, retireDay: null, releaseYear: 2024 }, 20_000, 'released 0+ years ago'],
  [{ releaseDay: null, retireDay: null, releaseYear: 2030 }, 20_000, 'released 0+ years ago'],
  [{ releaseDay: 1000, retireDay: null, releaseYear: 1972 }, 1000, 'new'],
  [released(), 1000, 'new'],
  [released(), 1089, 'new'],
  [released(), 1090, 'available'],
  [released(2000), 1999, 'retiring'],
  [released(2000), 2000, 'retired 0+'],
  [released(2000), 2060, 'retired 0+'],
  [released(2000), 2061, 'retired 2+'],
  [released(2000), 2121, 'retired 2+'],
  [released(2000), 2122, 'retired 4+'],
  [released(2000), 2213, 'retired 7+'],
  [released(2000), 2365, 'retired 12+'],
  [released(2000), 2730, 'retired 24+'],
  [released(2000), 3459, 'retired 24+'],
  [released(2000), 3460, 'retired 48+'],
])('with %j the stage on day %i is %s', (dates, day, stage) => {
  expect(lifeStage(dates, day)).toBe(stage)
})

test('isRetired is true from the retire day on', () => {
  expect([1999, 2000, 2001].map((day) => isRetired(released(2000), day))).toEqual([false, true, true])
  expect(isRetired(released(), 5000)).toBe(false)
})
