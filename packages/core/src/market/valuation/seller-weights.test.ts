import { describe, expect, test } from 'vitest'
import { sale } from './sale-fixtures.ts'
import { sellerWeights } from './seller-weights.ts'

const sum = (weights: Float64Array) => weights.reduce((total, weight) => total + weight, 0)
const sales = (count: number, seller: (day: number) => string | null) =>
  Array.from({ length: count }, (_, day) => sale({ day, unitCents: 100, seller: seller(day) }))

describe('seller weights', () => {
  test('sales by ten sellers have full weight', () => {
    expect(sum(sellerWeights(sales(10, (day) => `s${day}`)))).toBe(10)
  })

  test.each([
    [1, 1],
    [4, 1 / 4],
    [9, 1 / 9],
  ])('%i sales by one seller weigh %f sales together', (count, weight) => {
    expect(sum(sellerWeights(sales(count, () => 'one')))).toBeCloseTo(weight, 9)
  })

  test('a shop that makes a small share of many sales has full weight', () => {
    const many = Array.from({ length: 400 }, (_, index) =>
      sale({ day: Math.floor(index / 7), unitCents: 100, id: `${index}`, seller: `s${index % 50}` }),
    )
    expect(sum(sellerWeights(many))).toBe(400)
  })

  test('sales by unknown sellers have full weight', () => {
    expect(sum(sellerWeights(sales(10, () => null)))).toBe(10)
  })

  test('sales more than 30 days apart don’t count as repeated', () => {
    const weights = sellerWeights([0, 31, 61, 92].map((day) => sale({ day, unitCents: 100, seller: 'one' })))
    expect(Array.from(weights, (weight) => weight === 1)).toEqual([true, false, false, true])
  })
})
