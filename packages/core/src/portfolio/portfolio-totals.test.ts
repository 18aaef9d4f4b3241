import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Condition } from '../catalog/condition.ts'
import { toValuedLot, type ValuedLot } from './portfolio.ts'
import { summarizeLots, sumTotals } from './portfolio-totals.ts'

describe('sumTotals', () => {
  const unitValue = (set: string) => (set === 'unvalued' ? null : 700)
  const totals = (...held: [setNumber: string, condition: Condition, quantity: number, cost: number | null][]) =>
    sumTotals(
      held.map(([setNumber, condition, quantity, cost]) =>
        toValuedLot({ setNumber, condition, quantity, unitCost: cost === null ? null : cost / quantity }, unitValue),
      ),
    )

  test('counts each set once and sums units', () => {
    expect(totals(['a', 'sealed', 2, 1000], ['a', 'used', 1, 300], ['b', 'sealed', 4, 100])).toEqual({
      distinctItems: 2,
      items: 7,
      value: 4900,
      cost: 1400,
      gain: 3500,
      valueWithoutCost: 0,
    })
  })

  test('counts a holding without a value, but excludes it from value, cost and gain', () => {
    expect(totals(['a', 'sealed', 1, 500], ['unvalued', 'sealed', 3, 9000])).toEqual({
      distinctItems: 2,
      items: 4,
      value: 700,
      cost: 500,
      gain: 200,
      valueWithoutCost: 0,
    })
  })

  test('includes a holding of unknown cost in the value, but not in cost and gain', () => {
    expect(totals(['a', 'sealed', 1, 500], ['b', 'sealed', 3, null])).toEqual({
      distinctItems: 2,
      items: 4,
      value: 2800,
      cost: 500,
      gain: 200,
      valueWithoutCost: 2100,
    })
  })
})

const cents = fc.option(fc.integer({ min: 0, max: 1_000_000 }))
const lots = fc.array(
  fc.record({
    item: fc.constantFrom('a', 'b'),
    quantity: fc.integer({ min: 1, max: 9 }),
    cost: cents,
    value: cents,
  }),
)

test('value = cost + gain + value of the lots of unknown cost', () => {
  fc.assert(
    fc.property(lots, (held) => {
      const { value, cost, gain, valueWithoutCost } = sumTotals(held)
      expect(cost + gain + valueWithoutCost).toBe(value)
    }),
  )
})

describe('summarizeLots', () => {
  const lot = (cost: number | null, value: number | null): ValuedLot => ({ item: 'a', quantity: 2, cost, value })

  test('an amount that is known of no unit is null', () => {
    expect(summarizeLots([lot(null, 500)])).toMatchObject({ value: 500, cost: null, gain: null, valueWithoutCost: 500 })
    expect(summarizeLots([lot(500, null)])).toMatchObject({ value: null, cost: null, gain: null, valueWithoutCost: 0 })
  })

  test('nothing held is worth nothing', () => {
    expect(summarizeLots([])).toMatchObject({ value: 0, cost: 0, gain: 0, valueWithoutCost: 0, gainRatio: null })
  })

  test('counts the units that are left out', () => {
    expect(summarizeLots([lot(400, 500), lot(null, 500), lot(100, null)])).toMatchObject({
      value: 1000,
      cost: 400,
      gain: 100,
      gainRatio: 0.25,
      excluded: { withoutValue: 2, withoutCost: 2 },
    })
  })
})
