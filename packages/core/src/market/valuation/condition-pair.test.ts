import { describe, expect, test } from 'vitest'
import { createPriceModel, type EstimateInput } from './estimate.ts'
import { NO_GROWTH, regularSales, TODAY } from './sale-fixtures.ts'
import { estimatePair } from './condition-pair.ts'
import type { MarketSale } from './usable-sales.ts'

const VOLATILITY = { base: 2e-5, release: 0 }
const MODELS = {
  sealed: createPriceModel({ scale: 0.085, volatility: VOLATILITY }),
  used: createPriceModel({ scale: 0.15, volatility: VOLATILITY }),
}
const RATIO = { logValue: Math.log(0.65), sd: 0.16 }

function pair(sealed: MarketSale[], used: MarketSale[], ratio: typeof RATIO | null = RATIO) {
  const input = (sales: MarketSale[]): EstimateInput => ({
    sales,
    asOf: TODAY,
    prior: null,
    releaseDay: null,
    growth: NO_GROWTH,
  })
  return estimatePair({ sealed: input(sealed), used: input(used) }, ratio, MODELS)
}

describe('a set in two conditions', () => {
  test('values used at the typical share of sealed, tier modelled, without a used sale', () => {
    const { sealed, used } = pair(regularSales(20, 5, 10_000), [])
    expect(used.valueCents! / sealed.valueCents!).toBeCloseTo(0.65, 2)
    expect(used.tier).toBe('modelled')
  })

  test('has no sealed value without a sealed sale', () => {
    const { sealed, used } = pair([], regularSales(20, 5, 6500))
    expect(sealed.tier).toBe('none')
    expect(used.valueCents).toBeGreaterThan(6200)
  })

  test('learns the set’s own used share from older used sales', () => {
    const { used } = pair(regularSales(60, 5, 10_000), regularSales(40, 5, 8000, 100))
    expect(used.valueCents).toBeGreaterThan(7600)
    expect(used.valueCents).toBeLessThan(8300)
  })

  test('moves a thin sealed value toward many used sales', () => {
    const sealed = regularSales(2, 5, 10_000)
    const alone = pair(sealed, []).sealed.valueCents!
    const ratio = { logValue: Math.log(0.65), sd: 0.05 }
    expect(pair(sealed, regularSales(60, 3, 7500), ratio).sealed.valueCents).toBeGreaterThan(alone * 1.01)
  })

  test('barely raises the used value for sealed copies recorded as used', () => {
    const sealed = regularSales(60, 5, 10_000)
    const used = regularSales(40, 7, 6500)
    const mislabeled = regularSales(4, 9, 10_000).map((sale) => ({ ...sale, id: `mislabeled ${sale.id}` }))
    const plain = pair(sealed, used).used.valueCents!
    expect(pair(sealed, [...used, ...mislabeled]).used.valueCents! / plain).toBeLessThan(1.018)
  })

  test('values each condition on its own without a known ratio', () => {
    const { sealed, used } = pair(regularSales(20, 5, 10_000), [], null)
    expect(sealed.tier).toBe('market')
    expect(used.tier).toBe('none')
  })
})
