import { describe, expect, test } from 'vitest'
import { growthByAge, marketGrowth, type MarketMember } from './growth.ts'
import { sale, TODAY } from './made-up-sales.ts'

const RETIRED = { releaseDay: TODAY - 3000, retireDay: TODAY - 2000 }
const ON_SHELF = { releaseDay: TODAY - 800, retireDay: null }

/** Forty sets, a sale every other day, whose log price is a function of age. */
function members(dates: MarketMember['dates'], theme: string, logPrice: (age: number) => number): MarketMember[] {
  return Array.from({ length: 40 }, (_, set) => ({
    dates,
    theme,
    scale: 0.1,
    sales: Array.from({ length: 350 }, (__, place) =>
      sale({ day: TODAY - 700 + 2 * place, unitCents: Math.exp(9 + set / 10 + logPrice(700 - 2 * place)) }),
    ),
  }))
}

describe('growth of the market', () => {
  test('a steady rise of retired sets is found, and sets on the shelf stay', () => {
    const market = [...members(RETIRED, 'castle', (age) => -0.0005 * age), ...members(ON_SHELF, 'castle', () => 0)]
    const growth = marketGrowth(market, TODAY)
    expect(growthByAge(growth, RETIRED, 'castle', TODAY)[360]).toBeCloseTo(0.18, 2)
    expect(growthByAge(growth, ON_SHELF, 'castle', TODAY)[360]).toBeCloseTo(0, 2)
  })

  test('themes grow apart', () => {
    const market = [
      ...members(RETIRED, 'castle', (age) => -0.0008 * age),
      ...members(RETIRED, 'boats', (age) => -0.0002 * age),
    ]
    const growth = marketGrowth(market, TODAY)
    expect(growthByAge(growth, RETIRED, 'castle', TODAY)[360]).toBeGreaterThan(0.24)
    expect(growthByAge(growth, RETIRED, 'boats', TODAY)[360]).toBeLessThan(0.12)
  })

  test('a month in which all rose is seen as such', () => {
    const market = members(RETIRED, 'castle', (age) => (age < 40 ? 0.06 : 0))
    const growth = growthByAge(marketGrowth(market, TODAY), RETIRED, 'castle', TODAY)
    expect(growth[90]).toBeGreaterThan(0.03)
    expect(growth[10]).toBeLessThan(0.02)
  })
})
