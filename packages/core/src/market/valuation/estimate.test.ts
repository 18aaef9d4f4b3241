import { describe, expect, test } from 'vitest'
import { createPriceModel, estimateItem, type EstimateInput, type Valuation } from './estimate.ts'
import { NO_GROWTH, sale, regularSales, TODAY } from './sale-fixtures.ts'
import type { MarketSale } from './usable-sales.ts'

const MODEL = createPriceModel(0.085)
const PRIOR = { logValue: Math.log(10_000), sd: 0.15 }

function value(sales: MarketSale[], overrides: Partial<EstimateInput> = {}): Valuation {
  return estimateItem({ sales, asOf: TODAY, prior: PRIOR, growth: NO_GROWTH, previous: [], ...overrides }, MODEL)
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
})

test('sales outweigh a wildly wrong prior', () => {
  const prior = { logValue: Math.log(10_000_000), sd: 0.05 }
  expect(Math.abs(value(PLAIN, { prior }).valueCents! / 10_000 - 1)).toBeLessThan(0.03)
})

describe('move guard', () => {
  const previous = [{ valueCents: 10_000, tier: 'market' as const, daysAgo: 30 }]
  const old = regularSales(5, 20, 10_000, 66)
  const risen = (sellers: number, overrides: Partial<MarketSale> = {}) =>
    Array.from({ length: 10 }, (_, index) =>
      sale({ day: TODAY - 7 * index, unitCents: 15_000 + index, seller: `s${index % sellers}`, ...overrides }),
    )

  test.each<[string, MarketSale[], EstimateInput['previous'], boolean]>([
    ['limits a move of 50 % by three sellers', risen(3), previous, true],
    ['allows it by ten sellers', risen(10), previous, false],
    ['limits it by nine sellers who trade nothing else', risen(9, { sellerEstablished: false }), previous, true],
    ['allows it with buyers who trade nothing else', risen(10, { buyerEstablished: false }), previous, false],
    ['allows it with unknown buyers', risen(10, { buyer: null }), previous, false],
    ['limits it with one buyer', risen(10, { buyer: 'b' }), previous, true],
    ['allows any move from a modelled value', risen(3), [{ valueCents: 10_000, tier: 'modelled', daysAgo: 30 }], false],
    ['allows any move without a previous value', risen(3), [], false],
    ['allows a move of 5 % without support', [], [{ valueCents: 9500, tier: 'market', daysAgo: 30 }], false],
  ])('%s', (_, sales, published, held) => {
    const result = value([...old, ...sales], { prior: null, previous: published })
    expect(result.held).toBe(held)
    if (held) expect(result.valueCents).toBe(Math.round(published[0]!.valueCents * Math.exp(0.08)))
  })

  test('a first value stays within 25 % of its prior unless five parties support it', () => {
    const fakes = (seller: string, overrides: Partial<MarketSale> = {}) =>
      Array.from({ length: 10 }, (_, index) =>
        sale({ day: TODAY - 3 * index, unitCents: 30_000 + index, seller: `${seller} ${index % 3}`, ...overrides }),
      )
    const result = value(fakes('new', { sellerEstablished: false }))
    expect(result).toMatchObject({ valueCents: Math.round(10_000 * Math.exp(0.22)), tier: 'thin', held: true })
    expect(result.highCents).toBeGreaterThan(30_000)
    const genuine = regularSales(20, 5, 30_000)
    expect(value(genuine)).toMatchObject({ tier: 'market', held: false })
  })

  test.each([
    [30, 0.08],
    [90, 0.15],
    [180, 0.2],
  ])('limits the move from a value of %i days ago to %f', (daysAgo, limit) => {
    const published = [{ valueCents: 10_000, tier: 'market' as const, daysAgo }]
    const result = value([...old, ...risen(3)], { prior: null, previous: published })
    expect(result.valueCents).toBe(Math.round(10_000 * Math.exp(limit)))
  })

  test('follows a crash of the whole market, however rarely a set sells', () => {
    const crash = -0.15
    // Everything older than ten days is worth 15 % less by now.
    const growth = NO_GROWTH.map((_, age) => (age > 10 ? crash : 0))
    const rare = [300, 180, 60, 5].map((age) =>
      sale({
        day: TODAY - age,
        unitCents: age > 10 ? 10_000 : Math.round(10_000 * Math.exp(crash)),
        seller: `s${age}`,
      }),
    )
    const fallen = value(rare, { growth, previous, prior: null })
    expect(fallen.held).toBe(false)
    expect(Math.log(fallen.valueCents! / 10_000)).toBeCloseTo(crash, 2)
    // If only this set sells for less, a few sales aren't enough.
    const single = rare.map((each) => ({ ...each, unitCents: Math.round(10_000 * Math.exp(crash)) }))
    expect(value(single, { previous, prior: null })).toMatchObject({
      valueCents: Math.round(10_000 * Math.exp(-0.08)),
      held: true,
    })
  })

  test.each([[-0.15], [0.15]])('needn’t follow the market by %f', (move) => {
    const growth = NO_GROWTH.map((_, age) => (age > 10 ? move : 0))
    const steady = recent(6, 1, (index) => `s${index % 2}`).filter(({ day }) => day >= TODAY - 10)
    const result = value(steady, { growth, previous, prior: null })
    expect(result.held).toBe(false)
    expect(Math.abs(result.valueCents! - 10_000)).toBeLessThan(100)
  })

  test.each([[-3], [900]])('compares with a value of %i days ago', (daysAgo) => {
    const published = [{ valueCents: 10_000, tier: 'market' as const, daysAgo }]
    expect(value([...old, ...risen(3)], { prior: null, previous: published }).held).toBe(true)
  })

  test('one seller cannot walk a price up, however many sales they report', () => {
    const genuine = regularSales(48, 7.5, 10_000)
    const walk = Array.from({ length: 80 }, (_, index) =>
      sale({ day: TODAY - Math.floor(2.25 * index), unitCents: 11_150, seller: 'walker', id: `walk ${index}` }),
    )
    expect(value([...genuine, ...walk]).valueCents).toBeLessThan(10_400)
  })

  test('a rise is followed although the source names no parties', () => {
    const anonymous = { seller: null, buyer: null }
    const sales = [...regularSales(60, 3, 10_000, 40), ...regularSales(13, 3, 14_000)].map((sale) => ({
      ...sale,
      ...anonymous,
    }))
    const result = value(sales, { previous })
    expect(result).toMatchObject({ tier: 'market', held: false })
    expect(result.valueCents).toBeGreaterThan(13_500)
  })

  test('a held value includes the implied value in its range', () => {
    const { highCents } = value([...old, ...risen(3)], { prior: null, previous })
    expect(highCents).toBeGreaterThan(15_000)
  })
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
    ['twenty sales by three sellers', bySellers(3), PRIOR, 'market'],
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
    // These sales scatter a little less than those of other items.
    expect(widths.at(-1)).toBeGreaterThan(2 * 1.533 * 0.085 * 0.8)
    expect(widths.at(-1)).toBeLessThan(2 * 1.533 * 0.085)
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
