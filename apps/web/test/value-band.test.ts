import { expect, test } from 'vitest'
import { bandParts } from '../app/ui/value-band.ts'

const range = (position: number, low: number, high: number, few = false) => ({ position, low, high, few })

test('a band without gaps is one part', () => {
  expect(bandParts([range(0, 1, 3), range(1, 2, 6)])).toEqual([[range(0, 1, 3), range(1, 2, 6)]])
})

test('parts with few and with more sales meet half way', () => {
  expect(bandParts([range(0, 1, 3), range(1, 2, 6, true), range(2, 2, 2, true)])).toEqual([
    [range(0, 1, 3), range(0.5, 1.5, 4.5)],
    [range(0.5, 1.5, 4.5, true), range(1, 2, 6, true), range(2, 2, 2, true)],
  ])
})

test('nothing is drawn where no range is known, and a position without neighbors is alone', () => {
  expect(bandParts([null, range(1, 1, 3, true), null, range(3, 1, 3), range(4, 1, 3), null])).toEqual([
    [range(1, 1, 3, true)],
    [range(3, 1, 3), range(4, 1, 3)],
  ])
  expect(bandParts([])).toEqual([])
})
