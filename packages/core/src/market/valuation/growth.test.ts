import { describe, expect, test } from 'vitest'
import { growthByAge, fitMarketGrowth, type MarketItem } from './growth.ts'
import { TODAY } from './sale-fixtures.ts'

const RETIRED = { releaseDay: TODAY - 3000, retireDay: TODAY - 2000 }
const ON_SHELF = { releaseDay: TODAY - 800, retireDay: null }

function toSales(sold: number[][]): MarketItem['sales'] {
  return {
    days: Int32Array.from(sold, ([age]) => TODAY - age!),
    logPrices: Float64Array.from(sold, ([, logPrice]) => logPrice!),
  }
}

/** Creates 40 sets with a sale every other day whose log price is a function of age. */
function members(dates: MarketItem['dates'], theme: string, logPrice: (age: number) => number): MarketItem[] {
  return Array.from({ length: 40 }, (_, set) => ({
    dates,
    theme,
    scale: 0.1,
    sales: toSales(
      Array.from({ length: 350 }, (__, index) => [700 - 2 * index, 9 + set / 10 + logPrice(700 - 2 * index)]),
    ),
  }))
}

describe('market growth', () => {
  test('detects a steady rise of retired sets and none of sets on the shelf', () => {
    const market = [...members(RETIRED, 'castle', (age) => -0.0005 * age), ...members(ON_SHELF, 'castle', () => 0)]
    const growth = fitMarketGrowth(market, TODAY)
    expect(growthByAge(growth, RETIRED, 'castle', TODAY)[360]).toBeCloseTo(0.18, 2)
    expect(growthByAge(growth, ON_SHELF, 'castle', TODAY)[360]).toBeCloseTo(0, 2)
  })

  test('detects different growth by theme', () => {
    const market = [
      ...members(RETIRED, 'castle', (age) => -0.0008 * age),
      ...members(RETIRED, 'boats', (age) => -0.0002 * age),
    ]
    const growth = fitMarketGrowth(market, TODAY)
    expect(growthByAge(growth, RETIRED, 'castle', TODAY)[360]).toBeGreaterThan(0.24)
    expect(growthByAge(growth, RETIRED, 'boats', TODAY)[360]).toBeLessThan(0.12)
  })

  test('detects a month in which all sets rose', () => {
    const market = members(RETIRED, 'castle', (age) => (age < 40 ? 0.06 : 0))
    const growth = growthByAge(fitMarketGrowth(market, TODAY), RETIRED, 'castle', TODAY)
    // Forty sets, shrunk with a weight of 160.
    expect(growth[90]).toBeGreaterThan(0.01)
    expect(growth[10]).toBeLessThan(0.005)
  })
})

describe('hand-computed examples', () => {
  /** Creates one set with `count` sales at each age and log price. */
  const member = (
    more: Partial<MarketItem>,
    ...sold: [age: number, logPrice: number, count: number][]
  ): MarketItem => ({
    dates: RETIRED,
    theme: 'castle',
    scale: 0.1,
    sales: toSales(sold.flatMap(([age, logPrice, count]) => Array.from({ length: count }, () => [age, logPrice]))),
    ...more,
  })
  const stageGrowth = (...market: MarketItem[]) => Object.fromEntries(fitMarketGrowth(market, TODAY).byStage)

  // Two sales and two before them: weight 1 ÷ (1 + 0.1² ÷ 0.005 × (½ + ½)) = ⅓, shrunk toward 0 with a weight of 40.
  test('weights a change by the precision of its sales and shrinks it with a weight of 40', () => {
    const single = stageGrowth(member({}, [0, 9.06, 2], [60, 9, 2]))
    expect(single).toEqual({ 'retired 48+': expect.closeTo(0.001 / 121, 12) as number })
    const surer = stageGrowth(member({ scale: 0.05 }, [0, 9.06, 4], [119, 9, 2]))
    const weight = 1 / (1 + 0.5 * (1 / 4 + 1 / 2))
    expect(surer).toEqual({ 'retired 48+': expect.closeTo((0.001 * weight) / (weight + 40), 12) as number })
  })

  test('ignores single sales and sales outside adjacent 60-day blocks', () => {
    expect(stageGrowth(member({}, [0, 9.06, 1], [60, 9, 9]))).toEqual({})
    expect(stageGrowth(member({}, [0, 9.06, 9], [60, 9, 1]))).toEqual({})
    expect(stageGrowth(member({}, [0, 9.06, 9], [59, 9, 9]))).toEqual({})
    expect(stageGrowth(member({}, [0, 9.06, 9], [120, 9, 9]))).toEqual({})
  })

  test('attributes a change to the life stage between its sales', () => {
    const changed = (retireDay: number) =>
      Object.keys(stageGrowth(member({ dates: { releaseDay: 0, retireDay } }, [60, 9, 2], [120, 9, 2])))
    expect(changed(TODAY - 120)).toEqual(['retired 0+'])
    expect(changed(TODAY - 119)).toEqual(['retiring'])
  })

  test('uses the weighted median of several changes', () => {
    const sets = [9.06, 9.12, 9.3].map((price) => member({}, [0, price, 2], [60, 9, 2]))
    expect(stageGrowth(...sets)).toEqual({ 'retired 48+': expect.closeTo(0.002 * (1 / 41), 12) as number })
    const heavy = member({}, [0, 9.3, 50], [60, 9, 50])
    const weight = 1 / (1 + 2 * (2 / 50))
    const total = weight + 2 / 3
    expect(stageGrowth(...sets.slice(0, 2), heavy)).toEqual({
      'retired 48+': expect.closeTo((0.005 * total) / (total + 40), 12) as number,
    })
  })

  test('fits theme growth on retired sets only', () => {
    const market = fitMarketGrowth(
      [member({}, [0, 9.06, 2], [60, 9, 2]), member({ dates: ON_SHELF, theme: 'boats' }, [0, 9.1, 2], [60, 9, 2])],
      TODAY,
    )
    const stage = market.byStage.get('retired 48+')!
    expect(Object.fromEntries(market.byTheme)).toEqual({
      castle: expect.closeTo(((0.001 - stage) * (1 / 3)) / (1 / 3 + 120), 12) as number,
    })
  })

  describe('calendar growth', () => {
    /** Returns the growth of each of the newest four blocks of 15 days. */
    const recent = (family: 'retired' | 'onShelf', ...market: MarketItem[]) =>
      Array.from(
        fitMarketGrowth(market, TODAY).byCalendar[family].slice(0, 4),
        (value) => Number(value.toFixed(12)) + 0,
      )
    const rounded = (...list: number[]) => list.map((value) => Number(value.toFixed(12)) + 0)
    // Residuals of ±0.05 from the median, one item, shrunk toward 0 with a weight of 160.
    const level = 0.05 / 161

    test('interpolates between block centers and extrapolates from the newest block to today', () => {
      const set = member({}, [0, 9.1, 2], [20, 9, 2])
      const [first, second] = [(2 * level) / 15, -level / 15]
      expect(recent('retired', set)).toEqual(rounded(first, first / 2 + second / 2, second / 2, 0))
      expect(recent('onShelf', set)).toEqual([0, 0, 0, 0])
    })

    test('separates on-shelf and retired sets by the day of the sale', () => {
      const set = member({ dates: ON_SHELF }, [0, 9.1, 2], [20, 9, 2])
      expect(recent('retired', set)).toEqual([0, 0, 0, 0])
      const between = member({ dates: { releaseDay: 0, retireDay: TODAY - 10 } }, [0, 9.1, 2], [20, 9, 2])
      expect(recent('retired', between)).toEqual(rounded(level / 15, level / 30, 0, 0))
      expect(recent('onShelf', between)).toEqual(rounded(level / 15, 0, -level / 30, 0))
    })

    test('many fake sales of one item count no more than one sale', () => {
      const market = Array.from({ length: 50 }, () => member({}, [0, 9, 2], [20, 9, 2]))
      const attacked = (fakes: number) => recent('retired', ...market, member({}, [0, 9.7, fakes], [20, 9, 300]))
      expect(attacked(200)).toEqual(attacked(1))
    })

    test('ignores items with fewer than four sales', () => {
      expect(recent('retired', member({}, [0, 9.1, 1], [20, 9, 2]))).toEqual([0, 0, 0, 0])
    })
  })
})
