import { describe, expect, test } from 'vitest'
import { createPriceModel, estimateItem, type EstimateInput, type Valuation } from './estimate.ts'
import { NO_GROWTH, sale, regularSales, TODAY } from './sale-fixtures.ts'
import type { MarketSale } from './usable-sales.ts'

const MODEL = createPriceModel({ scale: 0.085, volatility: { base: 5e-5, release: 1e-3 } })
const PRIOR = { logValue: Math.log(10_000), sd: 0.35 }

function value(sales: MarketSale[], overrides: Partial<EstimateInput> = {}): Valuation {
  return estimateItem({ sales, asOf: TODAY, releaseDay: null, prior: PRIOR, growth: NO_GROWTH, ...overrides }, MODEL)
}

const PLAIN = regularSales(24, 10, 10_000)

function recent(count: number, factor: number, seller: (index: number) => string): MarketSale[] {
  return Array.from({ length: count }, (_, index) =>
    sale({ day: TODAY - 2 * index, unitCents: Math.round(10_000 * factor) + index, seller: seller(index) }),
  )
}

describe('contamination moves the value by less than 1 %', () => {
  test.each<[string, MarketSale[]]>([
    ['three used copies sold as sealed', recent(3, 0.58, (index) => `s${index}`)],
    ['two hidden lots of three', recent(2, 3, (index) => `s${index}`)],
    ['two boxes of parts only', recent(2, 0.3, (index) => `s${index}`)],
    ['a misplaced decimal point', recent(1, 10, () => 's')],
    ['a wash ring of one seller', recent(10, 2, () => 'ring')],
    ['a wash ring of two sellers', recent(10, 2, (index) => `ring ${index % 2}`)],
  ])('%s', (_, outliers) => {
    const plain = value(PLAIN).valueCents!
    expect(Math.abs(value([...PLAIN, ...outliers]).valueCents! / plain - 1)).toBeLessThan(0.01)
    expect(value([...PLAIN, ...outliers]).acceptedUnits).toBe(value(PLAIN).acceptedUnits)
  })
})

describe('unusable rows do not change the valuation', () => {
  const near = (overrides: Partial<MarketSale>) => sale({ day: TODAY - 1, unitCents: 10_500, id: 'near', ...overrides })
  test.each<[string, MarketSale[]]>([
    ['a returned sale', [near({ returned: true })]],
    ['a declared lot', [near({ flag: 'lot' })]],
    ['declared parts', [near({ flag: 'parts_only' })]],
    ['an accepted offer of unknown amount', [near({ flag: 'unknown_offer' })]],
    ['a row sent twice', [{ ...PLAIN[3]! }]],
    ['the same two parties again within 30 days', [{ ...PLAIN[3]!, id: 'again', day: PLAIN[3]!.day + 30 }]],
    ['a sale dated tomorrow', [near({ day: TODAY + 1 })]],
    ['a sale older than the window', [near({ day: TODAY - 720 })]],
    ['a price of 0', [near({ unitCents: 0 })]],
  ])('%s', (_, rows) => {
    expect(value([...PLAIN, ...rows])).toEqual(value(PLAIN))
  })

  test('counts the same rows without the flaw', () => {
    expect(value([...PLAIN, near({})]).acceptedUnits).toBe(value(PLAIN).acceptedUnits + 1)
    const monthLater = { ...PLAIN[6]!, id: 'again', day: PLAIN[6]!.day + 31 }
    expect(value([...PLAIN, monthLater]).acceptedUnits).toBe(value(PLAIN).acceptedUnits + 1)
  })

  test('counts a row sent twice once, even with unknown parties', () => {
    const unknown = near({ seller: null, buyer: null })
    expect(value([...PLAIN, unknown, { ...unknown }])).toEqual(value([...PLAIN, unknown]))
  })

  test('is independent of arrival order', () => {
    expect(value(PLAIN.toReversed())).toEqual(value(PLAIN))
    const late = sale({ day: TODAY - 45, unitCents: 10_700 })
    const inOrder = [...PLAIN.slice(0, 5), late, ...PLAIN.slice(5)]
    expect(value([...PLAIN, late])).toEqual(value(inOrder))
    expect(value([...PLAIN, late]).valueCents).not.toBe(value(PLAIN).valueCents)
  })
})

describe('the value follows the market', () => {
  test('reflects a true rise of 40 % confirmed by eight sellers within a month', () => {
    const risen = Array.from({ length: 8 }, (_, index) => sale({ day: TODAY - 4 * index, unitCents: 14_000 + index }))
    const old = regularSales(36, 4, 10_000, 32)
    expect(value([...old, ...risen]).valueCents).toBeGreaterThan(13_200)
  })

  test('adjusts old sales to today by the expected growth', () => {
    const growth = NO_GROWTH.map((_, age) => 0.001 * age)
    const old = regularSales(12, 5, 10_000, 100)
    const expected = 10_000 * Math.exp(0.001 * 100)
    expect(value(old, { growth, prior: null }).valueCents! / expected).toBeCloseTo(1.02, 1)
    expect(value(old, { growth, prior: null }).valueCents).toBeGreaterThan(
      value(old, { prior: null }).valueCents! * 1.08,
    )
  })

  test('follows the prior with few sales but not with many', () => {
    const prior = { logValue: Math.log(12_000), sd: 0.1 }
    expect(value(regularSales(1, 1, 10_000), { prior }).valueCents).toBeGreaterThan(10_700)
    expect(value(regularSales(40, 3, 10_000), { prior }).valueCents).toBeLessThan(10_300)
  })

  test('has a value from the first sale on, close to it', () => {
    const first = value(regularSales(1, 1, 20_000))
    expect(first).toMatchObject({ tier: 'modelled' })
    expect(first.valueCents! / 20_400).toBeGreaterThan(0.93)
  })
})

test('sales outweigh a wildly wrong prior', () => {
  const prior = { logValue: Math.log(10_000_000), sd: 0.05 }
  expect(Math.abs(value(PLAIN, { prior }).valueCents! / 10_000 - 1)).toBeLessThan(0.03)
})

describe('a frequently sold item', () => {
  const DAYS_SINCE_JUMP = [7, 14, 30, 60, 180]
  /** A hundred sales per month at $100, and 60 % more from day 0 on; as many are known as on a later day. */
  const salesUntil = (day: number) =>
    Array.from({ length: 800 }, (_, index) => {
      const soldOn = day - Math.floor(index * 0.3)
      const noise = [0.02, -0.05, 0.09, -0.02, 0.05, -0.09, 0][index % 7]!
      return sale({
        id: String(index),
        day: TODAY - day + soldOn,
        unitCents: Math.round((soldOn < 0 ? 10_000 : 16_000) * Math.exp(noise)),
        seller: `s${index % 40}`,
      })
    })

  test.each(DAYS_SINCE_JUMP)('keeps its new value %i days after a jump of three fifths', (day) => {
    const { valueCents, tier } = value(salesUntil(day))
    expect(valueCents! / 16_000).toBeGreaterThan(0.96)
    expect(valueCents! / 16_000).toBeLessThan(1.04)
    expect(tier).toBe('market')
  })
})

describe('attacks', () => {
  const fakes = (count: number, sellers: number, overrides: Partial<MarketSale> = {}) =>
    Array.from({ length: count }, (_, index) =>
      sale({ day: TODAY - 3 * index, unitCents: 30_000 + index, seller: `s${index % sellers}`, ...overrides }),
    )

  test('one seller cannot walk a price up, however many sales they report', () => {
    const genuine = regularSales(48, 7.5, 10_000)
    const walk = Array.from({ length: 80 }, (_, index) =>
      sale({ day: TODAY - Math.floor(2.25 * index), unitCents: 11_150, seller: 'walker', id: `walk ${index}` }),
    )
    expect(value([...genuine, ...walk]).valueCents).toBeLessThan(10_400)
  })

  test('a value far from similar items is in doubt until five sellers support it', () => {
    const doubted = value(fakes(10, 3))
    expect(doubted).toMatchObject({ doubtful: true })
    expect(doubted.tier).not.toBe('market')
    expect(doubted.lowCents).toBeLessThan(10_000)
    expect(doubted.highCents).toBeGreaterThan(doubted.valueCents!)
    expect(value(fakes(10, 5)).doubtful).toBe(false)
    expect(value(fakes(10, 10))).toMatchObject({ doubtful: false, tier: 'market' })
  })

  test('sellers who have traded nothing else count half', () => {
    expect(value(fakes(10, 9, { sellerEstablished: false })).doubtful).toBe(true)
    expect(value(fakes(10, 10, { sellerEstablished: false })).doubtful).toBe(false)
  })

  test('nothing is in doubt where the source names no sellers', () => {
    expect(value(fakes(4, 1, { seller: null, buyer: null })).doubtful).toBe(false)
  })

  test('a value near those of similar items is never in doubt', () => {
    expect(value(regularSales(1, 1, 15_000)).doubtful).toBe(false)
  })
})

test('a new item follows its sales faster than an old one', () => {
  const risen = [...regularSales(6, 3, 10_000, 14), ...regularSales(2, 3, 13_000)]
  const [young, old] = [20, 2000].map((age) => value(risen, { releaseDay: TODAY - age, prior: null }).valueCents!)
  expect(young).toBeGreaterThan(old! * 1.02)
})

test('a fake at a hundredth of the price changes nothing, even if it comes first', () => {
  const genuine = regularSales(3, 5, 10_000)
  const fake = sale({ day: TODAY - 40, unitCents: 100 })
  expect(value([fake, ...genuine], { prior: null }).valueCents).toBe(value(genuine, { prior: null }).valueCents)
})

describe('tiers', () => {
  const bySellers = (sellers: number) =>
    regularSales(20, 10, 10_000).map((sale, index) => ({ ...sale, seller: `s${index % sellers}` }))
  test.each<[string, MarketSale[], EstimateInput['prior'], string]>([
    ['no sales and no prior', [], null, 'none'],
    ['a prior only', [], PRIOR, 'modelled'],
    ['one sale', regularSales(1, 1, 10_000), PRIOR, 'modelled'],
    ['two sales in this month', regularSales(2, 5, 10_000), PRIOR, 'thin'],
    ['two sales 300 days ago', regularSales(2, 5, 10_000, 300), PRIOR, 'modelled'],
    ['two sales and no prior', regularSales(2, 5, 10_000), null, 'thin'],
    ['six sales by six sellers', regularSales(6, 5, 10_000), PRIOR, 'market'],
    ['twenty sales by two sellers', bySellers(2), PRIOR, 'thin'],
    ['twenty sales by twenty sellers', bySellers(20), PRIOR, 'market'],
  ])('%s', (_, sales, prior, tier) => {
    const result = value(sales, { prior })
    expect(result.tier).toBe(tier)
    expect(result.valueCents === null).toBe(tier === 'none')
  })
})

describe('ranges', () => {
  const width = ({ lowCents, highCents }: Valuation) => Math.log(highCents! / lowCents!)

  test('are wider for an item whose prices scatter more than those of others', () => {
    const scattered = regularSales(40, 4, 10_000).map((sale, index) => ({
      ...sale,
      unitCents: Math.round(10_000 * Math.exp(0.2 * Math.sin(index * 2.4))),
    }))
    expect(width(value(scattered))).toBeGreaterThan(1.3 * width(value(regularSales(40, 4, 10_000))))
  })

  test('include the value and narrow with more sales, down to the noise of a single sale', () => {
    const widths = [0, 2, 8, 40].map((count) => width(value(regularSales(count, 4, 10_000))))
    expect(widths).toEqual(widths.toSorted((a, b) => b - a))
    expect(widths.at(-1)).toBeGreaterThan(2 * 1.533 * 0.085 * 0.8)
    expect(widths.at(-1)).toBeLessThan(2 * 1.533 * 0.085 * 1.1)
    const { lowCents, valueCents, highCents } = value(PLAIN)
    expect(lowCents).toBeLessThan(valueCents!)
    expect(highCents).toBeGreaterThan(valueCents!)
  })

  test('a sale of several units counts its units but weighs as one sale', () => {
    const [first, ...others] = PLAIN
    const many = value([{ ...first!, quantity: 4 }, ...others])
    expect(many).toEqual({ ...value(PLAIN), acceptedUnits: 27 })
  })
})
