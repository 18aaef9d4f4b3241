import { describe, expect, test } from 'vitest'
import type { Change, RetailOffer } from './change.ts'
import { describeAlert, describeRule } from './alert-text.ts'
import { signalsOf, type RuleKind, type Signal } from './rule.ts'

/** A tenth of the price, and $2. */
const COSTS = { feeBasisPoints: 1000, fixedFee: 0, shipping: 200 }

const item = { id: 1, at: new Date('2026-06-01T00:00:00Z'), atUs: 0, itemKind: 'set', itemNumber: '90001-1' } as const

const offer = (price: number | null, more: Partial<RetailOffer> = {}): RetailOffer => ({
  price,
  inStock: price !== null,
  sellerType: 'retailer',
  lowest: 4500,
  ...more,
})

const retail = (before: RetailOffer | null, after: RetailOffer, value: number | null = 6000): Change => ({
  ...item,
  kind: 'retail',
  retailer: 'retailer_b',
  before,
  after,
  sealedValue: { value, tier: value === null ? 'none' : 'market' },
})

const value = (before: number | null, after: number, tier: 'market' | 'thin' = 'market'): Change => ({
  ...item,
  kind: 'value',
  condition: 'sealed',
  before: before === null ? null : { value: before, tier },
  after: { value: after, tier },
  offers: new Map([['retailer_a', 5000]]),
})

/** 'crosses', 'stays' or 'not', and whether the rule may alert again. */
function outcome(kind: RuleKind, threshold: number | null, change: Change, monthAgo: number | null = null): string[] {
  return signalsOf({ kind, threshold }, change, { monthAgo, costs: COSTS }).map(
    ({ wasMet, isMet, isRearmed }: Signal) =>
      `${isMet ? (wasMet ? 'stays' : 'crosses') : 'not'}${isMet || !isRearmed ? '' : ', far'}`,
  )
}

describe('a price at or below a threshold', () => {
  test.each([
    ['falls to it', offer(4500), offer(4200), ['crosses']],
    ['is first seen below it', null, offer(3999), ['crosses']],
    ['comes back in stock below it', offer(null), offer(3999), ['crosses']],
    ['falls further', offer(4199), offer(3999), ['stays']],
    ['rises a little above it', offer(4199), offer(4201), ['not']],
    ['rises by more than 2 %', offer(4199), offer(4285), ['not, far']],
    ['sells out, which doesn’t re-arm the rule', offer(4199), offer(null), ['not']],
    ['has a price but no stock', offer(4500), offer(3999, { inStock: false }), ['not']],
  ])('%s', (_, before, after, expected) => {
    expect(outcome('price_at_most', 4200, retail(before, after))).toEqual(expected)
  })

  test('of a minifig is its market value; values of sets and thin values are no prices', () => {
    const minifig = { ...value(1000, 800), itemKind: 'minifig' as const }
    expect(outcome('price_at_most', 900, minifig)).toEqual(['crosses'])
    expect(outcome('price_at_most', 900, { ...value(1000, 800, 'thin'), itemKind: 'minifig' as const })).toEqual([
      'not',
    ])
    expect(outcome('price_at_most', 900, value(1000, 800))).toEqual([])
  })
})

describe('a price below value', () => {
  test('counts when the price falls and when the value rises', () => {
    expect(outcome('below_value', 2000, retail(offer(5000), offer(4800)))).toEqual(['crosses'])
    expect(outcome('below_value', 2000, value(6000, 6250))).toEqual(['crosses'])
    expect(outcome('below_value', 2000, value(6250, 6300))).toEqual(['stays'])
    expect(outcome('below_value', 2000, retail(offer(4800), offer(4900)))).toEqual(['not'])
    expect(outcome('below_value', 2000, retail(offer(4800), offer(5100)))).toEqual(['not, far'])
  })

  test('never compares with a value that too few sales support', () => {
    expect(outcome('below_value', 2000, value(6000, 9000, 'thin'))).toEqual(['not'])
    expect(outcome('below_value', 2000, retail(offer(5000), offer(100), null))).toEqual(['not'])
  })
})

test('a return is what remains of the value after selling costs', () => {
  // Of $60.00, $52.00 remain: 30 % of $40.00.
  expect(outcome('return_at_least', 3000, retail(offer(4100), offer(4000)))).toEqual(['crosses'])
  expect(outcome('return_at_least', 3000, retail(offer(4100), offer(4001)))).toEqual(['not'])
  expect(outcome('return_at_least', 3000, retail(offer(4000), offer(4300)))).toEqual(['not, far'])
  expect(outcome('return_at_least', 0, value(5000, 5778))).toEqual(['crosses'])
})

test('a value moves by a share of what it was a month ago, up or down', () => {
  expect(outcome('value_moved', 1000, value(5400, 5500), 5000)).toEqual(['crosses'])
  expect(outcome('value_moved', 1000, value(5500, 5600), 5000)).toEqual(['stays'])
  expect(outcome('value_moved', 1000, value(4600, 4500), 5000)).toEqual(['crosses'])
  expect(outcome('value_moved', 1000, value(5500, 5200), 5000)).toEqual(['not, far'])
  expect(outcome('value_moved', 1000, value(5400, 5500), null)).toEqual([])
})

describe('what happens at a retailer', () => {
  test.each<[RuleKind, RetailOffer | null, RetailOffer, string]>([
    ['new_low', offer(4600), offer(4400), 'crosses'],
    ['new_low', offer(4600), offer(4500), 'not, far'],
    ['new_low', null, offer(100), 'not, far'],
    ['sold_out', offer(4600), offer(null), 'crosses'],
    ['sold_out', offer(null), offer(null), 'stays'],
    ['sold_out', offer(null, { inStock: null }), offer(null), 'stays'],
    ['back_in_stock', offer(null), offer(4600), 'crosses'],
    ['back_in_stock', null, offer(4600), 'not, far'],
    ['third_party', offer(4600), offer(4700, { sellerType: 'third_party' }), 'crosses'],
    ['third_party', offer(4600, { sellerType: null }), offer(4700, { sellerType: 'third_party' }), 'stays'],
  ])('%s', (kind, before, after, expected) => {
    expect(outcome(kind, null, retail(before, after))).toEqual([expected])
  })
})

test('a status is met when the set gets it', () => {
  const retirementChange: Change = { ...item, kind: 'status', before: 'available', after: 'retiring_soon' }
  expect(outcome('retiring_soon', null, retirementChange)).toEqual(['crosses'])
  expect(outcome('retired', null, retirementChange)).toEqual(['not, far'])
  expect(outcome('retired', null, retail(null, offer(100)))).toEqual([])
})

test('says what was compared with what', () => {
  const at = { retailer: 'Retailer B' }
  expect(describeAlert({ ...at, kind: 'price_at_most', facts: { price: 3999, threshold: 4200 } })).toBe(
    '$39.99 ≤ your $42.00 at Retailer B',
  )
  expect(describeAlert({ ...at, kind: 'below_value', facts: { price: 4000, value: 5220, percent: 2337 } })).toBe(
    '$40.00 at Retailer B, 23.4% below its value of $52.20 from recent sales',
  )
  expect(
    describeAlert({ retailer: null, kind: 'value_moved', facts: { before: 5000, value: 5615, percent: 1230 } }),
  ).toBe('+12.3% in 30 days, from $50.00 to $56.15, from recent sales')
  expect(describeRule({ kind: 'below_value', threshold: 2050 })).toBe('Price at least 20.5% below value')
  expect(describeRule({ kind: 'retired', threshold: null })).toBe('Retired')
})
