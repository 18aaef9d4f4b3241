import { describe, expect, test } from 'vitest'
import { createPriceModel, estimateItem, type EstimateInput, type Valuation } from './estimate.ts'
import { NO_GROWTH, sale, regularSales, TODAY } from './sale-fixtures.ts'
import type { MarketSale } from './usable-sales.ts'

const MODEL = createPriceModel(0.085)
const PRIOR = { logValue: Math.log(10_000), sd: 0.15 }

function value(sales: MarketSale[], given: Partial<EstimateInput> = {}): Valuation {
  return estimateItem({ sales, asOf: TODAY, prior: PRIOR, growth: NO_GROWTH, previous: null, ...given }, MODEL)
}

const PLAIN = regularSales(24, 10, 10_000)

function recent(count: number, factor: number, seller: (index: number) => string): MarketSale[] {
  return Array.from({ length: count }, (_, index) =>
    sale({ day: TODAY - 2 * index, unitCents: Math.round(10_000 * factor) + index, seller: seller(index) }),
  )
}

describe('what does not belong moves the value by less than 1 %', () => {
  test.each<[string, MarketSale[]]>([
    ['three used copies sold as sealed', recent(3, 0.58, (index) => `s${index}`)],
    ['two hidden lots of three', recent(2, 3, (index) => `s${index}`)],
    ['two boxes of parts only', recent(2, 0.3, (index) => `s${index}`)],
    ['a decimal slip', recent(1, 10, () => 's')],
    ['a wash ring of one seller', recent(10, 2, () => 'ring')],
    ['a wash ring of two sellers', recent(10, 2, (index) => `ring ${index % 2}`)],
  ])('%s', (_, odd) => {
    const plain = value(PLAIN).valueCents!
    expect(Math.abs(value([...PLAIN, ...odd]).valueCents! / plain - 1)).toBeLessThan(0.01)
    expect(value([...PLAIN, ...odd]).acceptedUnits).toBe(value(PLAIN).acceptedUnits)
  })
})

describe('rows that do not count leave everything as it was', () => {
  const near = (given: Partial<MarketSale>) => sale({ day: TODAY - 1, unitCents: 10_500, id: 'near', ...given })
  test.each<[string, MarketSale[]]>([
    ['a returned sale', [near({ returned: true })]],
    ['a declared lot', [near({ flag: 'lot' })]],
    ['declared parts', [near({ flag: 'parts_only' })]],
    ['an offer of unknown height', [near({ flag: 'unknown_offer' })]],
    ['a row sent twice', [{ ...PLAIN[3]! }]],
    ['the same two parties again within 30 days', [{ ...PLAIN[3]!, id: 'again', day: PLAIN[3]!.day + 30 }]],
    ['a sale of tomorrow', [near({ day: TODAY + 1 })]],
    ['a sale older than the window', [near({ day: TODAY - 720 })]],
    ['a price of nothing', [near({ unitCents: 0 })]],
  ])('%s', (_, rows) => {
    expect(value([...PLAIN, ...rows])).toEqual(value(PLAIN))
  })

  test('the same row without the flaw does count', () => {
    expect(value([...PLAIN, near({})]).acceptedUnits).toBe(value(PLAIN).acceptedUnits + 1)
    const monthLater = { ...PLAIN[6]!, id: 'again', day: PLAIN[6]!.day + 31 }
    expect(value([...PLAIN, monthLater]).acceptedUnits).toBe(value(PLAIN).acceptedUnits + 1)
  })

  test('a row sent twice counts once even when nobody knows the parties', () => {
    const unknown = near({ seller: null, buyer: null })
    expect(value([...PLAIN, unknown, { ...unknown }])).toEqual(value([...PLAIN, unknown]))
  })

  test('a late arrival counts as if it had come in time', () => {
    expect(value(PLAIN.toReversed())).toEqual(value(PLAIN))
    const late = sale({ day: TODAY - 45, unitCents: 10_700 })
    const inTime = [...PLAIN.slice(0, 5), late, ...PLAIN.slice(5)]
    expect(value([...PLAIN, late])).toEqual(value(inTime))
    expect(value([...PLAIN, late]).valueCents).not.toBe(value(PLAIN).valueCents)
  })
})

describe('the value follows the market', () => {
  test('a true rise of 40 % that eight sellers confirm shows within a month', () => {
    const risen = Array.from({ length: 8 }, (_, index) => sale({ day: TODAY - 3 * index, unitCents: 14_000 + index }))
    const old = regularSales(24, 10, 10_000, 30)
    expect(value([...old, ...risen]).valueCents).toBeGreaterThan(13_200)
  })

  test('old sales are carried to today by the expected growth', () => {
    const growth = NO_GROWTH.map((_, age) => 0.001 * age)
    const old = regularSales(12, 5, 10_000, 100)
    const expected = 10_000 * Math.exp(0.001 * 100)
    expect(value(old, { growth, prior: null }).valueCents! / expected).toBeCloseTo(1.02, 1)
    expect(value(old, { growth, prior: null }).valueCents).toBeGreaterThan(
      value(old, { prior: null }).valueCents! * 1.08,
    )
  })

  test('few sales lean on the prior, many do not', () => {
    const prior = { logValue: Math.log(12_000), sd: 0.1 }
    expect(value(regularSales(1, 1, 10_000), { prior }).valueCents).toBeGreaterThan(10_700)
    expect(value(regularSales(40, 3, 10_000), { prior }).valueCents).toBeLessThan(10_300)
  })
})

test('a prior from another world is no match for sales', () => {
  const prior = { logValue: Math.log(10_000_000), sd: 0.05 }
  expect(Math.abs(value(PLAIN, { prior }).valueCents! / 10_000 - 1)).toBeLessThan(0.03)
})

describe('the limiter', () => {
  const previous = { valueCents: 10_000, tier: 'market' as const }
  const old = regularSales(5, 30, 10_000, 40)
  const risen = (sellers: number, given: Partial<MarketSale> = {}) =>
    Array.from({ length: 10 }, (_, index) =>
      sale({ day: TODAY - 2 * index, unitCents: 15_000 + index, seller: `s${index % sellers}`, ...given }),
    )

  test.each<[string, MarketSale[], EstimateInput['previous'], boolean]>([
    ['three sellers cannot move a value by half', risen(3), previous, true],
    ['ten can', risen(10), previous, false],
    ['ten who trade nothing else cannot', risen(10, { sellerEstablished: false }), previous, true],
    ['nor to buyers who trade nothing else', risen(10, { buyerEstablished: false }), previous, true],
    ['nor to one buyer', risen(10, { buyer: 'b' }), previous, true],
    ['a value that was only modelled is free to move', risen(3), { valueCents: 10_000, tier: 'modelled' }, false],
    ['so is one that never was published', risen(3), null, false],
    ['a move of 5 % needs no one', [], { valueCents: 9500, tier: 'market' }, false],
  ])('%s', (_, sales, published, held) => {
    const result = value([...old, ...sales], { prior: null, previous: published })
    expect(result.held).toBe(held)
    if (held) expect(result.valueCents).toBe(published?.valueCents)
  })

  test('a held value shows in its range where the sales point', () => {
    const { highCents } = value([...old, ...risen(3)], { prior: null, previous })
    expect(highCents).toBeGreaterThan(15_000)
  })
})

describe('tiers', () => {
  const bySellers = (sellers: number) =>
    regularSales(20, 10, 10_000).map((one, index) => ({ ...one, seller: `s${index % sellers}` }))
  test.each<[string, MarketSale[], EstimateInput['prior'], string]>([
    ['nothing known', [], null, 'none'],
    ['a prior only', [], PRIOR, 'modelled'],
    ['one sale', regularSales(1, 1, 10_000), PRIOR, 'modelled'],
    ['two sales of this month', regularSales(2, 5, 10_000), PRIOR, 'thin'],
    ['two sales of last year', regularSales(2, 5, 10_000, 300), PRIOR, 'modelled'],
    ['two sales and no prior', regularSales(2, 5, 10_000), null, 'thin'],
    ['six sales by six', regularSales(6, 5, 10_000), PRIOR, 'market'],
    ['twenty sales by two', bySellers(2), PRIOR, 'thin'],
    ['twenty sales by three', bySellers(3), PRIOR, 'market'],
  ])('%s', (_, sales, prior, tier) => {
    const result = value(sales, { prior })
    expect(result.tier).toBe(tier)
    expect(result.valueCents === null).toBe(tier === 'none')
  })
})

describe('ranges', () => {
  const width = ({ lowCents, highCents }: Valuation) => Math.log(highCents! / lowCents!)

  test('hold the value and narrow with sales, down to the noise of a single one', () => {
    const widths = [0, 2, 8, 40].map((count) => width(value(regularSales(count, 4, 10_000))))
    expect(widths).toEqual(widths.toSorted((a, b) => b - a))
    expect(widths.at(-1)).toBeGreaterThan(2 * 1.533 * 0.085)
    expect(widths.at(-1)).toBeLessThan(2 * 1.533 * 0.085 * 1.15)
    const { lowCents, valueCents, highCents } = value(PLAIN)
    expect(lowCents).toBeLessThan(valueCents!)
    expect(highCents).toBeGreaterThan(valueCents!)
  })

  test('a quantity counts its units but says no more than one sale', () => {
    const [first, ...others] = PLAIN
    const many = value([{ ...first!, quantity: 4 }, ...others])
    expect(many).toEqual({ ...value(PLAIN), acceptedUnits: 27 })
  })
})
