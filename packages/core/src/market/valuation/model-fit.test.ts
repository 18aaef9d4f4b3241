import { describe, expect, test } from 'vitest'
import { countInlierSales, fitSets, RatioFitter, sampleMarket, SetValuer, type SetWithSales } from './model-fit.ts'
import { sale, regularSales, TODAY } from './sale-fixtures.ts'
import { lookUpPrior } from './priors.ts'
import type { MarketSale } from './usable-sales.ts'

const AVAILABLE = { releaseDay: TODAY - 400, retireDay: null }

function soldSet(sealed: MarketSale[], used: MarketSale[] = [], listCents: number | null = 10_000): SetWithSales {
  return { attributes: { theme: 'Harbor', listCents, retailCents: null, dates: AVAILABLE }, sales: { sealed, used } }
}

function fitRatios(...sets: SetWithSales[]) {
  const fitter = new RatioFitter(TODAY)
  for (const set of sets) fitter.add(set)
  return fitter.fit()
}

const growth = sampleMarket([], TODAY).fitGrowth()
const initial = sampleMarket([], TODAY).fitInitialModel()

describe('RatioFitter', () => {
  test('fits ratios of the median sale to the list price, and of used to sealed', () => {
    const { priors, usedRatios } = fitRatios(soldSet(regularSales(7, 3, 12_000), regularSales(7, 3, 6000)))
    const ratio = (condition: 'sealed' | 'used') =>
      Math.exp(lookUpPrior(priors[condition]!, ['available', 'Harbor'], 0).logValue)
    expect(ratio('sealed')).toBeCloseTo(1.2, 2)
    expect(ratio('used')).toBeCloseTo(0.6, 2)
    expect(Math.exp(lookUpPrior(usedRatios!, ['Harbor'], 0).logValue)).toBeCloseTo(0.5, 2)
  })

  test.each([
    ['has no list price', soldSet(regularSales(5, 3, 12_000), [], null)],
    ['was sold twice', soldSet(regularSales(2, 3, 12_000))],
    ['was last sold more than half a year ago', soldSet(regularSales(5, 3, 12_000, 181))],
  ])('ignores a set that %s', (_, set) => {
    expect(fitRatios(set).priors).toEqual({ sealed: null, used: null })
  })

  test('the spread of prices does not shrink from fit to fit, because values are not fed back', () => {
    const market = Array.from({ length: 60 }, (_, index) =>
      soldSet(regularSales(3, 20, 10_000 * Math.exp(0.4 * Math.sin(index * 2.4)))),
    )
    let fit = fitSets(market, TODAY)
    const spread = fit.priors.sealed!.overallSd
    for (let round = 0; round < 3; round++) fit = fitSets(market, TODAY, fit)
    expect(fit.priors.sealed!.overallSd).toBe(spread)
    expect(spread).toBeGreaterThan(0.3)
  })
})

describe('SetValuer', () => {
  const reference = soldSet(regularSales(7, 3, 15_000), regularSales(7, 3, 9000))
  const valuer = new SetValuer({ ...initial, ...fitRatios(reference) }, growth)

  test('values a set without sales by the fitted priors', () => {
    const { sealed, used } = valuer.value(soldSet([]), TODAY)
    expect(sealed.tier).toBe('modelled')
    expect(sealed.valueCents! / 100).toBeCloseTo(150, -1)
    expect(used.valueCents! / 100).toBeCloseTo(90, -1)
  })

  test('has no prior without a list price or before the model was fitted', () => {
    expect(valuer.value(soldSet([], [], null), TODAY).sealed.tier).toBe('none')
    const unfitted = new SetValuer(initial, growth)
    expect(unfitted.inputsOf(soldSet([]), TODAY).sealed.prior).toBeNull()
    expect(unfitted.typicalUsedRatio(reference.attributes)).toBeNull()
  })

  test('passes on the sales, day and release of each condition', () => {
    const set = soldSet(regularSales(3, 3, 10_000), regularSales(2, 2, 6000))
    const { sealed, used } = valuer.inputsOf(set, TODAY)
    expect(sealed).toMatchObject({ sales: set.sales.sealed, asOf: TODAY, releaseDay: AVAILABLE.releaseDay })
    expect(used).toMatchObject({ sales: set.sales.used, asOf: TODAY, releaseDay: AVAILABLE.releaseDay })
  })
})

/** A uniform number around 0 with a standard deviation of 1; the same on every machine. */
function deviate(seed: number): number {
  const state = Math.imul(Math.imul(seed + 1, 0x9e3779b1) ^ (seed << 7), 0x85ebca6b) >>> 0
  return (state / 2 ** 32 - 0.5) * Math.sqrt(12)
}

describe('ranges', () => {
  /** Prices that scatter by `spread`, so that the next sale does too. */
  const market = (spread: number) =>
    Array.from({ length: 40 }, (_, set) =>
      soldSet(
        Array.from({ length: 60 }, (_, index) =>
          sale({
            id: `${set} ${index}`,
            day: TODAY - 6 * index,
            unitCents: Math.round(10_000 * Math.exp(spread * deviate(index + 61 * set))),
          }),
        ),
      ),
    )

  test.each([0.05, 0.3])('cover about four of five next sales if prices scatter by %f', (spread) => {
    const sets = market(spread)
    const valuer = new SetValuer(fitSets(sets, TODAY), growth)
    let within = 0
    for (const set of sets) {
      const { lowCents, highCents } = valuer.value(set, TODAY - 10).sealed
      const next = set.sales.sealed.findLast(({ day }) => day > TODAY - 10)!
      if (next.unitCents >= lowCents! && next.unitCents <= highCents!) within++
    }
    expect(within / sets.length).toBeGreaterThan(0.65)
    expect(within / sets.length).toBeLessThan(0.95)
  })
})

describe('retail prices', () => {
  const onShelf = (retailCents: number | null, listCents: number | null = 10_000, sealed: MarketSale[] = []) => {
    const set = soldSet(sealed, [], listCents)
    return { ...set, attributes: { ...set.attributes, retailCents } }
  }
  /** Sets sell for 95 % of the retail price, which is 20 % below the list price. */
  const priorOf = (sets: number, set: SetWithSales) => {
    const sold = Array.from({ length: sets }, () => onShelf(8000, 10_000, regularSales(7, 3, 7600)))
    return new SetValuer({ ...initial, ...fitRatios(...sold) }, growth).inputsOf(set, TODAY).sealed.prior
  }

  test('are evidence like the list price, weighted by precision', () => {
    // Both ratios are known equally well here, so their mean counts: 76 % of the list price and 95 % of the retail price.
    expect(Math.exp(priorOf(20, onShelf(5000))!.logValue)).toBeCloseTo(Math.sqrt(7600 * 4750), -1)
  })

  test('are all there is without a list price', () => {
    expect(Math.exp(priorOf(20, onShelf(5000, null))!.logValue)).toBeCloseTo(4750, -1)
  })

  test('do not count while too few sets show what they are worth', () => {
    expect(Math.exp(priorOf(19, onShelf(5000))!.logValue)).toBeCloseTo(7600, -1)
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
