import { describe, expect, test } from 'vitest'
import { growthByAge, fitMarketGrowth, type MarketItem } from './growth.ts'
import { sale, TODAY } from './sale-fixtures.ts'

const RETIRED = { releaseDay: TODAY - 3000, retireDay: TODAY - 2000 }
const ON_SHELF = { releaseDay: TODAY - 800, retireDay: null }

/** Forty sets, a sale every other day, whose log price is a function of age. */
function members(dates: MarketItem['dates'], theme: string, logPrice: (age: number) => number): MarketItem[] {
  return Array.from({ length: 40 }, (_, set) => ({
    dates,
    theme,
    scale: 0.1,
    sales: Array.from({ length: 350 }, (__, index) =>
      sale({ day: TODAY - 700 + 2 * index, unitCents: Math.exp(9 + set / 10 + logPrice(700 - 2 * index)) }),
    ),
  }))
}

describe('growth of the market', () => {
  test('a steady rise of retired sets is found, and sets on the shelf stay', () => {
    const market = [...members(RETIRED, 'castle', (age) => -0.0005 * age), ...members(ON_SHELF, 'castle', () => 0)]
    const growth = fitMarketGrowth(market, TODAY)
    expect(growthByAge(growth, RETIRED, 'castle', TODAY)[360]).toBeCloseTo(0.18, 2)
    expect(growthByAge(growth, ON_SHELF, 'castle', TODAY)[360]).toBeCloseTo(0, 2)
  })

  test('themes grow apart', () => {
    const market = [
      ...members(RETIRED, 'castle', (age) => -0.0008 * age),
      ...members(RETIRED, 'boats', (age) => -0.0002 * age),
    ]
    const growth = fitMarketGrowth(market, TODAY)
    expect(growthByAge(growth, RETIRED, 'castle', TODAY)[360]).toBeGreaterThan(0.24)
    expect(growthByAge(growth, RETIRED, 'boats', TODAY)[360]).toBeLessThan(0.12)
  })

  test('a month in which all rose is seen as such', () => {
    const market = members(RETIRED, 'castle', (age) => (age < 40 ? 0.06 : 0))
    const growth = growthByAge(fitMarketGrowth(market, TODAY), RETIRED, 'castle', TODAY)
    expect(growth[90]).toBeGreaterThan(0.03)
    expect(growth[10]).toBeLessThan(0.02)
  })
})

describe('by hand', () => {
  /** Sales of one set, so many of them on each day, at each log price. */
  const member = (
    more: Partial<MarketItem>,
    ...sold: [age: number, logPrice: number, count: number][]
  ): MarketItem => ({
    dates: RETIRED,
    theme: 'castle',
    scale: 0.1,
    sales: sold.flatMap(([age, logPrice, count]) =>
      Array.from({ length: count }, () => sale({ day: TODAY - age, unitCents: Math.exp(logPrice) })),
    ),
    ...more,
  })
  const stageGrowth = (...market: MarketItem[]) => Object.fromEntries(fitMarketGrowth(market, TODAY).byStage)

  // Two sales and two before them: 1 ÷ (1 + 0.1² ÷ 0.005 × (½ + ½)) = ⅓ of a full change, beside ten of none.
  test('a change counts as far as its sales are sure, beside ten of none', () => {
    const one = stageGrowth(member({}, [0, 9.06, 2], [60, 9, 2]))
    expect(one).toEqual({ 'retired 48+': expect.closeTo(0.001 / 31, 12) as number })
    const surer = stageGrowth(member({ scale: 0.05 }, [0, 9.06, 4], [119, 9, 2]))
    const weight = 1 / (1 + 0.5 * (1 / 4 + 1 / 2))
    expect(surer).toEqual({ 'retired 48+': expect.closeTo((0.001 * weight) / (weight + 10), 12) as number })
  })

  test('a single sale is no change, and sales of two months are none', () => {
    expect(stageGrowth(member({}, [0, 9.06, 1], [60, 9, 9]))).toEqual({})
    expect(stageGrowth(member({}, [0, 9.06, 9], [60, 9, 1]))).toEqual({})
    expect(stageGrowth(member({}, [0, 9.06, 9], [59, 9, 9]))).toEqual({})
    expect(stageGrowth(member({}, [0, 9.06, 9], [120, 9, 9]))).toEqual({})
  })

  test('a change is of the stage in which a set was between its sales', () => {
    const changed = (retireDay: number) =>
      Object.keys(stageGrowth(member({ dates: { releaseDay: 0, retireDay } }, [60, 9, 2], [120, 9, 2])))
    expect(changed(TODAY - 120)).toEqual(['retired 0+'])
    expect(changed(TODAY - 119)).toEqual(['retiring'])
  })

  test('of several changes the middle one by weight is taken', () => {
    const sets = [9.06, 9.12, 9.3].map((price) => member({}, [0, price, 2], [60, 9, 2]))
    expect(stageGrowth(...sets)).toEqual({ 'retired 48+': expect.closeTo(0.002 * (1 / 11), 12) as number })
    const heavy = member({}, [0, 9.3, 50], [60, 9, 50])
    const weight = 1 / (1 + 2 * (2 / 50))
    const total = weight + 2 / 3
    expect(stageGrowth(...sets.slice(0, 2), heavy)).toEqual({
      'retired 48+': expect.closeTo((0.005 * total) / (total + 10), 12) as number,
    })
  })

  test('only retired sets tell of their theme', () => {
    const market = fitMarketGrowth(
      [member({}, [0, 9.06, 2], [60, 9, 2]), member({ dates: ON_SHELF, theme: 'boats' }, [0, 9.1, 2], [60, 9, 2])],
      TODAY,
    )
    const stage = market.byStage.get('retired 48+')!
    expect(Object.fromEntries(market.byTheme)).toEqual({
      castle: expect.closeTo(((0.001 - stage) * (1 / 3)) / (1 / 3 + 30), 12) as number,
    })
  })

  describe('what all did of late', () => {
    /** The growth of each of the newest four blocks of 15 days. */
    const recent = (family: 'retired' | 'onShelf', ...market: MarketItem[]) =>
      Array.from(fitMarketGrowth(market, TODAY).byCalendar[family].slice(0, 4), (one) => Number(one.toFixed(12)) + 0)
    const rounded = (...list: number[]) => list.map((one) => Number(one.toFixed(12)) + 0)
    // Half a tenth above and below the middle, of two sales beside two hundred of none.
    const level = (0.05 * 2) / 202

    test('goes from the middle of a block to that of the next, and from the newest on to today', () => {
      const set = member({}, [0, 9.1, 2], [20, 9, 2])
      const [first, second] = [(2 * level) / 15, -level / 15]
      expect(recent('retired', set)).toEqual(rounded(first, first / 2 + second / 2, second / 2, 0))
      expect(recent('onShelf', set)).toEqual([0, 0, 0, 0])
    })

    test('sets on the shelf are apart, by the day of the sale', () => {
      const set = member({ dates: ON_SHELF }, [0, 9.1, 2], [20, 9, 2])
      expect(recent('retired', set)).toEqual([0, 0, 0, 0])
      const between = member({ dates: { releaseDay: 0, retireDay: TODAY - 10 } }, [0, 9.1, 2], [20, 9, 2])
      expect(recent('retired', between)).toEqual(rounded(level / 15, level / 30, 0, 0))
      expect(recent('onShelf', between)).toEqual(rounded(level / 15, 0, -level / 30, 0))
    })

    test('three sales tell nothing', () => {
      expect(recent('retired', member({}, [0, 9.1, 1], [20, 9, 2]))).toEqual([0, 0, 0, 0])
    })
  })
})
