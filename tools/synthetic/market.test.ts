import { beforeAll, describe, expect, test } from 'vitest'
import { checkDigit } from '@brickmark/core/catalog/barcode'
import {
  generateMarket,
  generatePortfolio,
  type SyntheticMarket,
  type SyntheticPortfolio,
  type PortfolioName,
} from './index.ts'
import { elementAt } from './random.ts'
import type { RetailStateRow } from './types.ts'
import { latestFinalizableMonth } from '@brickmark/core/market/values/month-finalization'

const TODAY = new Date('2026-11-15T10:00:00Z')
const NAMES: PortfolioName[] = ['reseller', 'second', 'hobby']

let market: SyntheticMarket
beforeAll(() => {
  market = generateMarket(1, TODAY)
})

test('generates the same market for the same seed and day, and another for another seed', () => {
  expect(generateMarket(1, TODAY)).toEqual(market)
  expect(generateMarket(2, TODAY).sets).not.toEqual(market.sets)
  const portfolio = (seed: number) => generatePortfolio(seed, 'reseller', market, TODAY)
  expect(portfolio(1)).toEqual(portfolio(1))
  expect(portfolio(2)).not.toEqual(portfolio(1))
})

describe.each([1, 2, 3, 4, 5])('catalog with seed %i', (seed) => {
  const { sets, minifigs, setMinifigs, lifecycles } = generateMarket(seed, TODAY)

  test('is large enough and has unique keys', () => {
    expect(sets.length).toBeGreaterThanOrEqual(600)
    expect(minifigs.length).toBeGreaterThanOrEqual(400)
    expect(new Set(sets.map((set) => set.theme)).size).toBe(15)
    for (const key of ['set_number', 'title', 'asin', 'upc', 'ean'] as const) {
      const known = sets.map((set) => set[key]).filter((value) => value !== null)
      expect(new Set(known).size, key).toBe(known.length)
    }
    expect(new Set(minifigs.map((minifig) => minifig.minifig_number)).size).toBe(minifigs.length)
    expect(new Set(setMinifigs.map((link) => `${link.set_number} ${link.minifig_number}`)).size).toBe(
      setMinifigs.length,
    )
  })

  test('has realistic prices and piece counts', () => {
    const prices = sets.flatMap((set) => (set.msrp_cents === null ? [] : [set.msrp_cents]))
    const pieces = sets.flatMap((set) => set.pieces ?? [])
    expectBetween(quantile(prices, 0.5), 2000, 3000)
    expectBetween(quantile(prices, 0.95), 12_000, 16_000)
    expectBetween(prices.filter((price) => price % 100 === 99).length / prices.length, 0.95, 1)
    expectBetween(quantile(pieces, 0.5), 60, 100)
    expectBetween(quantile(pieces, 0.95), 900, 1150)
  })

  test('has realistic life cycles', () => {
    const months = [...lifecycles.values()].map((life) => (life.retireDay - life.releaseDay) / 30.44)
    const yearEnds = sets.filter((set) => /-1[12]-/.test(set.retire_date ?? ''))
    expectBetween(quantile(months, 0.5), 15, 19)
    expectBetween(yearEnds.length / sets.filter((set) => set.retire_date !== null).length, 0.38, 0.58)
    const released = sets.map((set) => set.release_date ?? '')
    expectBetween(released.filter((day) => day > '2026-11-15').length, 5, 50)
    const retired = sets.map((set) => set.retire_date ?? '')
    expectBetween(retired.filter((day) => day > '2026-11-15').length, 10, 90)
  })

  test('has valid barcodes', () => {
    for (const { upc, ean } of sets) {
      if (upc !== null) expect(upc).toBe(upc.slice(0, 11) + checkDigit(upc.slice(0, 11)))
      if (ean !== null) expect(ean).toBe(ean.slice(0, 12) + checkDigit(ean.slice(0, 12)))
    }
    expect(sets.some((set) => set.upc !== null && set.ean === null)).toBe(true)
    expect(sets.some((set) => set.upc === null && set.ean === null)).toBe(true)
  })

  test('has sets with hardly any attributes', () => {
    const unknown = sets.filter((set) => set.pieces === null && set.msrp_cents === null && set.release_date === null)
    expect(unknown).toHaveLength(5)
  })
})

describe('values', () => {
  test('ranges include their value, and only tier none has no value', () => {
    for (const row of [...market.setValues, ...market.minifigValues]) {
      expect(row.value_cents === null).toBe(row.data_tier === 'none')
      expectRange(row)
    }
    expect(new Set(market.setValues.map((row) => row.data_tier)).size).toBe(4)
    expect(new Set(market.minifigValues.map((row) => row.data_tier)).size).toBe(4)
  })

  test('covers the last 36 finalized months', () => {
    const months = [...new Set(market.setMonths.map((row) => row.month))].toSorted()
    expect(months).toHaveLength(36)
    expect(months.at(-1)).toBe('2026-10-01')
    expect(months.at(0)).toBe('2023-11-01')
  })

  test.each([
    ['2026-11-07', '2026-09'],
    ['2026-11-08', '2026-10'],
    ['2027-01-05', '2026-11'],
    ['2027-01-31', '2026-12'],
  ])('on %s the latest finalizable month is %s', (today, month) => {
    const index = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1
    expect(latestFinalizableMonth(today)).toBe(index)
  })

  test('hides range and count of thin months', () => {
    for (const row of market.setMonths) {
      expect((row.range_low_cents === null) === (row.sales_count === null)).toBe(true)
      if (row.sales_count !== null) expect(row.sales_count).toBeGreaterThanOrEqual(3)
      expectRange(row)
    }
    expect(market.setMonths.some((row) => row.value_cents === null)).toBe(true)
    expect(market.setMonths.some((row) => row.value_cents !== null && row.sales_count === null)).toBe(true)
    const events = new Set(market.setMonths.map((row) => row.event))
    expect(events).toEqual(new Set([null, 'released', 'retiring_soon', 'retired', 'rereleased']))
  })
})

const RETAIL_KINDS: Record<string, (row: RetailStateRow) => boolean> = {
  'first party': (row) => row.seller_type === 'retailer',
  'third party': (row) => row.seller_type === 'third_party',
  flipped: (row) => row.flip_1p_to_3p,
  'out of stock': (row) => row.price_cents === null && row.in_stock === false && row.lowest_cents !== null,
  'stock unknown': (row) => row.in_stock === null,
  'at lowest': (row) => row.at_lowest,
  'above lowest': (row) => row.in_stock === true && !row.at_lowest,
  'never changed': (row) => row.changed_at === null && row.last_change_cents === null,
  'changed minutes ago': (row) => age(row) < 1 / 24,
  'changed hours ago': (row) => age(row) >= 1 / 24 && age(row) < 1,
  'changed days ago': (row) => age(row) >= 1 && age(row) < 7,
  'changed weeks ago': (row) => age(row) >= 7 && age(row) < Infinity,
  'price cut': (row) => Number(row.last_change_cents) < 0,
  'price increase': (row) => Number(row.last_change_cents) > 0,
  'above list': (row) => row.price_cents !== null && row.list_price_cents !== null && price(row) > row.list_price_cents,
  'without a list price': (row) => row.list_price_cents === null,
}

describe('retail states', () => {
  test.each(Object.entries(RETAIL_KINDS))('both retailers have states: %s', (_, isOfKind) => {
    const found = market.retailStates.filter(isOfKind)
    expect(new Set(found.map((row) => row.retailer))).toEqual(new Set(['retailer_a', 'retailer_b']))
  })

  test('are consistent', () => {
    for (const row of market.retailStates) {
      if (row.price_cents !== null) expect(price(row)).toBeGreaterThanOrEqual(Number(row.lowest_cents))
      expect(row.at_lowest).toBe(row.price_cents === row.lowest_cents)
      if (row.flip_1p_to_3p) expect(row.seller_type).toBe('third_party')
      if (row.changed_at !== null) expect(row.changed_at < row.last_checked_at).toBe(true)
    }
  })

  test('every field of an exit is sometimes null', () => {
    for (const key of ['lowest_fba_cents', 'fba_sellers', 'buy_box_cents', 'net_fba_cents'] as const)
      expect(new Set(market.retailExits.map((row) => row[key] === null)).size, key).toBe(2)
  })
})

describe.each(NAMES)('portfolio %s', (name) => {
  let portfolio: SyntheticPortfolio
  beforeAll(() => {
    portfolio = generatePortfolio(1, name, market, TODAY)
  })

  test('has the planned size', () => {
    const least = { reseller: [4, 150, 48], second: [3, 60, 15], hobby: [1, 8, 0] }[name]
    expect(portfolio.collections).toHaveLength(elementAt(least, 0))
    expect(portfolio.collections.filter((collection) => collection.is_default)).toHaveLength(1)
    expect(portfolio.lots.filter((lot) => lot.quantity > 0).length).toBeGreaterThanOrEqual(elementAt(least, 1))
    expect(portfolio.sales.length).toBeGreaterThanOrEqual(elementAt(least, 2))
  })

  test('sales match the cost of their lots to the cent and sell only owned units', () => {
    portfolio.sales.forEach((sale, index) => {
      const lots = portfolio.saleLots.filter((lot) => lot.sale === index)
      if (sale.cost_cents === null) return expect(lots).toEqual([])
      const held = lots.map((lot) => ({ ...elementAt(portfolio.lots, lot.lotIndex), units: lot.quantity }))
      expect(sum(held.map((lot) => lot.units))).toBe(sale.quantity)
      expect(sum(held.map((lot) => lot.units * (lot.purchase_price_cents ?? NaN)))).toBe(sale.cost_cents)
      for (const lot of held) {
        expect(lot.set_number).toBe(sale.set_number)
        expect((lot.purchase_date ?? '9999') < sale.sale_date).toBe(true)
      }
    })
    for (const lot of portfolio.lots) expect(lot.quantity).toBeGreaterThanOrEqual(0)
  })
})

test('the reseller portfolio has every edge case', () => {
  const { lots, sales, saleLots } = generatePortfolio(1, 'reseller', market, TODAY)
  const valued = new Set(market.setValues.flatMap((row) => (row.value_cents === null ? [] : goods(row))))
  expect(sales.some((sale) => sale.cost_cents === null)).toBe(true)
  expect(sales.some((sale) => sale.cost_cents === 0)).toBe(true)
  expect(saleLots.length).toBeGreaterThan(new Set(saleLots.map((lot) => lot.sale)).size)
  expect(new Set(sales.map((sale) => sale.platform)).size).toBeGreaterThanOrEqual(5)
  expect(lots.some((lot) => lot.quantity === 0)).toBe(true)
  expect(lots.some((lot) => lot.status === 'listed')).toBe(true)
  expect(lots.some((lot) => lot.condition === 'used')).toBe(true)
  expect(lots.some((lot) => lot.purchase_price_cents === 0)).toBe(true)
  expect(lots.some((lot) => lot.purchase_price_cents === null && lot.purchase_date !== null)).toBe(true)
  expect(lots.some((lot) => lot.purchase_price_cents === null && lot.purchase_date === null)).toBe(true)
  expect(lots.some((lot) => lot.quantity > 0 && !valued.has(goods(lot)))).toBe(true)
})

test('every licensed row has canary references', () => {
  const { saleObservations, retailObservations } = market
  const refs = saleObservations.flatMap((row) => [row.event_id, row.seller_ref, row.buyer_ref])
  for (const ref of [...refs, ...retailObservations.map((row) => row.event_id)])
    expect(ref).toMatch(/^CANARY-[0-9a-f]{16}$/)
  expect(saleObservations).toHaveLength(200)
  expect(retailObservations).toHaveLength(200)
})

function quantile(figures: number[], share: number): number {
  const sorted = figures.toSorted((a, b) => a - b)
  return elementAt(sorted, Math.floor(sorted.length * share))
}

function expectBetween(figure: number, low: number, high: number): void {
  expect(figure).toBeGreaterThanOrEqual(low)
  expect(figure).toBeLessThanOrEqual(high)
}

function expectRange(row: {
  value_cents: number | null
  range_low_cents: number | null
  range_high_cents: number | null
}): void {
  if (row.range_low_cents === null || row.range_high_cents === null) return
  expectBetween(Number(row.value_cents), row.range_low_cents, row.range_high_cents)
}

function sum(figures: number[]): number {
  return figures.reduce((total, figure) => total + figure, 0)
}

function price(row: RetailStateRow): number {
  return Number(row.price_cents)
}

function age(row: RetailStateRow): number {
  return row.changed_at === null ? Infinity : (TODAY.getTime() - Date.parse(row.changed_at)) / 86_400_000
}

function goods({ set_number, condition }: { set_number: string; condition: string }): string {
  return `${set_number} ${condition}`
}
