import { describe, expect, test } from 'vitest'
import type { Valuation } from './estimate.ts'
import { countInlierSales, SetValuer, sampleMarket, fitModel, type SetWithSales, type ValuedSet } from './model-fit.ts'
import { sale, regularSales, TODAY } from './sale-fixtures.ts'
import { T4_MAD } from './price-noise.ts'
import { lookUpPrior } from './priors.ts'
import type { MarketSale } from './usable-sales.ts'

const AVAILABLE = { releaseDay: TODAY - 400, retireDay: null }
const NOTHING_BEFORE = { sealed: [], used: [] }

function soldSet(sealed: MarketSale[], used: MarketSale[] = [], listCents: number | null = 10_000): SetWithSales {
  return { attributes: { theme: 'Harbor', listCents, retailCents: null, dates: AVAILABLE }, sales: { sealed, used } }
}

function valuation(valueCents: number | null, tier: Valuation['tier']): Valuation {
  const none = { effectiveSales: 0, acceptedUnits: 0, sellers: 0, lastSaleDay: null, held: false }
  return { valueCents, lowCents: null, highCents: null, tier, ...none }
}

function valued(set: SetWithSales, sealed: Valuation, used: Valuation): ValuedSet {
  return { ...set, valuation: { sealed, used } }
}

const UNKNOWN = valuation(null, 'none')
const expected = (fit: ReturnType<typeof fitModel>, condition: 'sealed' | 'used') =>
  Math.exp(lookUpPrior(fit.priors[condition]!, ['available', 'Harbor'], 0).logValue)

describe('fitInitialModel', () => {
  test('fits priors to the ratio of each set’s median sale to its list price', () => {
    const fit = sampleMarket([soldSet(regularSales(5, 3, 12_000), regularSales(5, 3, 7000))], TODAY).fitInitialModel()
    expect(expected(fit, 'sealed')).toBeCloseTo(1.2, 1)
    expect(expected(fit, 'used')).toBeCloseTo(0.7, 1)
    expect(fit.usedRatios).toBeNull()
    expect(fit.scales).toEqual({ sealed: 0.1, used: 0.17 })
  })

  test.each([
    ['has no list price', soldSet(regularSales(5, 3, 12_000), [], null)],
    ['was sold twice', soldSet(regularSales(2, 3, 12_000))],
    ['was last sold more than half a year ago', soldSet(regularSales(5, 3, 12_000, 181))],
  ])('ignores a set that %s', (_, set) => {
    expect(sampleMarket([set], TODAY).fitInitialModel().priors).toEqual({ sealed: null, used: null })
  })
})

describe('fitModel', () => {
  test('fits ratios to list price and used/sealed ratios', () => {
    const set = valued(soldSet([]), valuation(15_000, 'market'), valuation(9000, 'market'))
    const fit = fitModel([set], TODAY)
    expect(expected(fit, 'sealed')).toBeCloseTo(1.5, 5)
    expect(expected(fit, 'used')).toBeCloseTo(0.9, 5)
    expect(Math.exp(lookUpPrior(fit.usedRatios!, ['Harbor'], 0).logValue)).toBeCloseTo(0.6, 5)
  })

  test.each([
    ['without a list price', soldSet([], [], null), valuation(15_000, 'market')],
    ['without a value', soldSet([]), UNKNOWN],
    ['whose value was modelled', soldSet([]), valuation(15_000, 'modelled')],
  ])('ignores a set %s when fitting ratios to list price', (_, set, value) => {
    expect(fitModel([valued(set, value, value)], TODAY).priors).toEqual({ sealed: null, used: null })
  })

  test.each([
    [valuation(15_000, 'thin'), valuation(9000, 'market')],
    [valuation(15_000, 'market'), valuation(9000, 'thin')],
  ])('fits used/sealed ratios only if both values have the market tier', (sealed, used) => {
    expect(fitModel([valued(soldSet([]), sealed, used)], TODAY).usedRatios).toBeNull()
  })

  test('fits noise scales to the sales of the last 60 days', () => {
    const strays = regularSales(6, 3, 11_000, 10).map((sale) => ({ ...sale, unitCents: 11_000 }))
    const older = regularSales(30, 3, 50_000, 60).map((sale) => ({ ...sale, id: `old ${sale.id}` }))
    const set = valued(soldSet([...strays, ...older]), valuation(10_000, 'market'), UNKNOWN)
    const { scales } = fitModel([set], TODAY)
    expect(scales.sealed).toBeCloseTo(Math.log(1.1) / T4_MAD, 5)
    expect(scales.used).toBe(0.17)
  })

  test('ignores thin values when fitting noise scales', () => {
    const set = valued(soldSet(regularSales(6, 3, 11_000)), valuation(10_000, 'thin'), UNKNOWN)
    expect(fitModel([set], TODAY).scales.sealed).toBe(0.1)
  })
})

describe('SetValuer', () => {
  const reference = valued(soldSet([]), valuation(15_000, 'market'), valuation(9000, 'market'))
  const growth = sampleMarket([soldSet(regularSales(20, 5, 10_000))], TODAY).fitGrowth()
  const valuer = new SetValuer(fitModel([reference], TODAY), growth)

  test('values a set without sales by the fitted priors', () => {
    const { sealed, used } = valuer.value(soldSet([]), TODAY, NOTHING_BEFORE)
    expect(sealed.tier).toBe('modelled')
    expect(sealed.valueCents! / 100).toBeCloseTo(150, -1)
    expect(used.valueCents! / 100).toBeCloseTo(90, -1)
  })

  test('has no prior without a list price or before the model was fitted', () => {
    expect(valuer.value(soldSet([], [], null), TODAY, NOTHING_BEFORE).sealed.tier).toBe('none')
    const unfitted = new SetValuer(sampleMarket([], TODAY).fitInitialModel(), growth)
    expect(unfitted.inputsOf(soldSet([]), TODAY, NOTHING_BEFORE).sealed.prior).toBeNull()
    expect(unfitted.typicalUsedRatio(reference.attributes)).toBeNull()
  })

  test('passes on the sales, day and previous value of each condition', () => {
    const set = soldSet(regularSales(3, 3, 10_000), regularSales(2, 2, 6000))
    const before = {
      sealed: [{ valueCents: 1, tier: 'thin' as const, daysAgo: 30 }],
      used: [{ valueCents: 2, tier: 'thin' as const, daysAgo: 30 }],
    }
    const { sealed, used } = valuer.inputsOf(set, TODAY, before)
    expect(sealed).toMatchObject({ sales: set.sales.sealed, asOf: TODAY, previous: before.sealed })
    expect(used).toMatchObject({ sales: set.sales.used, asOf: TODAY, previous: before.used })
  })
})

describe('retail prices', () => {
  const onShelf = (retailCents: number | null, listCents: number | null = 10_000) => {
    const set = soldSet([], [], listCents)
    return { ...set, attributes: { ...set.attributes, retailCents } }
  }
  /** Sets sell for 95 % of the retail price, which is 20 % below the list price. */
  const market = (sets: number) =>
    fitModel(
      Array.from({ length: sets }, () => valued(onShelf(8000), valuation(7600, 'market'), UNKNOWN)),
      TODAY,
    )
  const growth = sampleMarket([], TODAY).fitGrowth()
  const priorOf = (sets: number, set: SetWithSales) =>
    new SetValuer(market(sets), growth).inputsOf(set, TODAY, NOTHING_BEFORE).sealed.prior

  test('are evidence like the list price, weighted by precision', () => {
    // Both ratios are known equally well here, so their mean counts: 76 % of the list price and 95 % of the retail price.
    const { logValue, sd } = priorOf(20, onShelf(5000))!
    expect(Math.exp(logValue)).toBeCloseTo(Math.sqrt(7600 * 4750), 0)
    expect(sd).toBe(0.05)
  })

  test('are all there is without a list price', () => {
    expect(Math.exp(priorOf(20, onShelf(5000, null))!.logValue)).toBeCloseTo(4750, 0)
  })

  test('do not count while too few sets show what they are worth', () => {
    expect(Math.exp(priorOf(19, onShelf(5000))!.logValue)).toBeCloseTo(7600, 0)
    expect(priorOf(19, onShelf(5000, null))).toBeNull()
  })
})

describe('countInlierSales', () => {
  const between = (sales: MarketSale[]) => countInlierSales(sales, 10_000, 0.1, TODAY - 10, TODAY)

  test('counts sales, units and sellers', () => {
    const sales = [
      sale({ day: TODAY, unitCents: 10_000, quantity: 3, seller: 'a' }),
      sale({ day: TODAY - 10, unitCents: 9000, seller: 'b' }),
      sale({ day: TODAY - 5, unitCents: 11_000, seller: 'a' }),
    ]
    expect(between(sales)).toEqual({ units: 5, sales: 3, sellers: 2 })
  })

  test.each([
    ['before the period', TODAY - 11, 10_000, 0],
    ['after the period', TODAY + 1, 10_000, 0],
    ['more than three scales above', TODAY, Math.exp(0.31) * 10_000, 0],
    ['more than three scales below', TODAY, Math.exp(-0.31) * 10_000, 0],
    ['nearly three scales above', TODAY, Math.exp(0.29) * 10_000, 1],
  ])('a sale %s', (_, day, unitCents, counted) => {
    expect(between([sale({ day, unitCents })]).sales).toBe(counted)
  })
})
