import { describe, expect, test } from 'vitest'
import { sale } from './sale-fixtures.ts'
import { sellerWeights } from './seller-weights.ts'

const sum = (weights: Float64Array) => weights.reduce((total, weight) => total + weight, 0)

describe('seller weights', () => {
  test('sales by ten sellers have full weight', () => {
    const sales = Array.from({ length: 10 }, (_, day) => sale({ day, unitCents: 100, seller: `s${day}` }))
    expect(sum(sellerWeights(sales))).toBe(10)
  })

  test.each([
    ['ten sales by one seller', 'one'],
    ['ten sales by unknown sellers', null],
  ])('%s weigh no more than the cap', (_, seller) => {
    const sales = Array.from({ length: 10 }, (__, day) => sale({ day, unitCents: 100, seller }))
    expect(sum(sellerWeights(sales))).toBe(CAP)
  })

  test('resets the weight of a seller after 60 days', () => {
    const sales = [0, 1, 2, 3, 4, 70].map((day) => sale({ day, unitCents: 100, seller: 'one' }))
    expect(sellerWeights(sales).at(-1)).toBe(1)
  })

  test('caps a large seller at a share of all sales in a busy market', () => {
    const sales = Array.from({ length: 200 }, (_, index) =>
      sale({
        day: Math.floor(index / 5),
        unitCents: 100,
        id: `${index}`,
        seller: index % 4 === 0 ? 'big' : `s${index}`,
      }),
    )
    const big = sellerWeights(sales).filter((_, index) => index % 4 === 0)
    expect(sum(big)).toBeGreaterThan(2 * CAP)
    expect(sum(big)).toBeLessThan(50)
  })
})

const CAP = 2
