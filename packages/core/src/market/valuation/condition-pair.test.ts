import { describe, expect, test } from 'vitest'
import { createPriceModel, type EstimateInput } from './estimate.ts'
import { NO_GROWTH, regularSales, TODAY } from './sale-fixtures.ts'
import { estimatePair } from './condition-pair.ts'
import type { MarketSale } from './usable-sales.ts'

const MODELS = { sealed: createPriceModel(0.085), used: createPriceModel(0.15) }
const RATIO = { logValue: Math.log(0.65), sd: 0.16 }

function pair(sealed: MarketSale[], used: MarketSale[], ratio: typeof RATIO | null = RATIO) {
  const input = (sales: MarketSale[]): EstimateInput => ({
    sales,
    asOf: TODAY,
    prior: null,
    growth: NO_GROWTH,
    previous: null,
  })
  return estimatePair({ sealed: input(sealed), used: input(used) }, ratio, MODELS)
}

describe('a set in two conditions', () => {
  test('without a used sale, used is worth the usual share of sealed, and says that it is modelled', () => {
    const { sealed, used } = pair(regularSales(20, 5, 10_000), [])
    expect(used.valueCents! / sealed.valueCents!).toBeCloseTo(0.65, 2)
    expect(used.tier).toBe('modelled')
  })

  test('without a sealed sale there is no sealed value', () => {
    const { sealed, used } = pair([], regularSales(20, 5, 6500))
    expect(sealed.tier).toBe('none')
    expect(used.valueCents).toBeGreaterThan(6200)
  })

  test('older used sales teach the set its own share', () => {
    const { used } = pair(regularSales(60, 5, 10_000), regularSales(40, 5, 8000, 100))
    expect(used.valueCents).toBeGreaterThan(7600)
    expect(used.valueCents).toBeLessThan(8300)
  })

  test('many used sales pull a thin sealed value, few do not', () => {
    const sealed = regularSales(2, 5, 10_000)
    const alone = pair(sealed, []).sealed.valueCents!
    expect(pair(sealed, regularSales(60, 3, 9000)).sealed.valueCents).toBeGreaterThan(alone * 1.01)
  })

  test('sealed copies recorded as used hardly raise the used value', () => {
    const sealed = regularSales(60, 5, 10_000)
    const used = regularSales(40, 7, 6500)
    const slips = regularSales(4, 9, 10_000).map((slip) => ({ ...slip, id: `slip ${slip.id}` }))
    const plain = pair(sealed, used).used.valueCents!
    expect(pair(sealed, [...used, ...slips]).used.valueCents! / plain).toBeLessThan(1.018)
  })

  test('without a known ratio neither leans on the other', () => {
    const { sealed, used } = pair(regularSales(20, 5, 10_000), [], null)
    expect(sealed.tier).toBe('market')
    expect(used.tier).toBe('none')
  })
})
