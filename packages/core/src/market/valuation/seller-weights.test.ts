import { describe, expect, test } from 'vitest'
import { sale } from './sale-fixtures.ts'
import { sellerWeights } from './seller-weights.ts'

const CAP = 2
const sum = (weights: Float64Array) => weights.reduce((total, weight) => total + weight, 0)

describe('seller weights', () => {
  test('sales by ten sellers have full weight', () => {
    const sales = Array.from({ length: 10 }, (_, day) => sale({ day, unitCents: 100, seller: `s${day}` }))
    expect(sum(sellerWeights(sales))).toBe(10)
  })

  test('ten sales by one seller weigh no more than the cap', () => {
    const sales = Array.from({ length: 10 }, (_, day) => sale({ day, unitCents: 100, seller: 'one' }))
    expect(sum(sellerWeights(sales))).toBe(CAP)
  })

  test('sales by unknown sellers have full weight', () => {
    const sales = Array.from({ length: 10 }, (_, day) => sale({ day, unitCents: 100, seller: null }))
    expect(sum(sellerWeights(sales))).toBe(10)
  })

  test('resets the weight of a seller after 60 days', () => {
    const sales = [0, 1, 2, 3, 4, 70].map((day) => sale({ day, unitCents: 100, seller: 'one' }))
    expect(sellerWeights(sales).at(-1)).toBe(1)
  })

  test('a large seller weighs at most 15 % of all sales, however many they report', () => {
    const sales = Array.from({ length: 200 }, (_, index) =>
      sale({
        day: Math.floor(index / 5),
        unitCents: 100,
        id: `${index}`,
        seller: index % 4 === 0 ? `s${index}` : 'big',
      }),
    )
    const weights = sellerWeights(sales)
    const big = sum(weights.filter((_, index) => index % 4 !== 0))
    expect(big).toBeGreaterThan(2 * CAP)
    expect(big / sum(weights)).toBeLessThanOrEqual(0.15)
  })
})
