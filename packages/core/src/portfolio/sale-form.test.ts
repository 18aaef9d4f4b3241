import { describe, expect, test } from 'vitest'
import { defaultPlatformFee, parseSale, type SaleField } from './sale-form.ts'
import { saleResult } from './ledger-sale.ts'

const surroundings = {
  lots: [
    { id: 7, condition: 'sealed' as const, quantity: 2, price: 6450, date: '2025-01-15' },
    { id: 8, condition: 'sealed' as const, quantity: 2, price: 7000, date: '2025-02-15' },
    { id: 9, condition: 'used' as const, quantity: 2, price: 3000, date: '2025-02-15' },
  ],
  previousLotIds: [8],
  fees: [
    {
      platform: 'ebay',
      validFrom: '2024-03-15',
      source: 'invented',
      shares: [{ upTo: null, basisPoints: 1325 }],
      minimum: 0,
      fixed: [{ upTo: null, cents: 40 }],
    },
  ],
  today: '2026-06-30',
}
const typed: Record<SaleField, string> = {
  platform: 'ebay',
  date: '2026-05-18',
  quantity: '3',
  gross: '389.97',
  'platform-fees': '',
  'payment-fees': '',
  shipping: '12.1',
  lot: 'sealed',
  cost: '',
}
const read = (change: Partial<Record<SaleField, string>> = {}) =>
  parseSale((name) => ({ ...typed, ...change })[name], surroundings)

test('oldest lots, preset fee: net, profit and return', () => {
  const sale = read()
  expect(sale).toMatchObject({
    gross: 38_997,
    platformFees: 5167 + 40,
    shipping: 1210,
    cost: 2 * 6450 + 7000,
    allocations: [
      { lotId: 7, quantity: 2 },
      { lotId: 8, quantity: 1 },
    ],
  })
  if (typeof sale === 'string') throw new Error(sale)
  expect(saleResult(sale)).toEqual({ net: 32_580, profit: 12_680, roiPct: 63.72 })
})

describe('fees', () => {
  test('what is typed wins over the preset, also nothing', () => {
    expect(read({ 'platform-fees': '0' })).toMatchObject({ platformFees: 0 })
    expect(read({ 'platform-fees': '1.5', 'payment-fees': '2' })).toMatchObject({ platformFees: 150, paymentFees: 200 })
  })

  test('without a preset, empty is nothing', () => {
    expect(read({ platform: 'local' })).toMatchObject({ platformFees: 0 })
    expect(read({ date: '2024-03-14', lot: 'none' })).toMatchObject({ platformFees: 0 })
  })

  test('there is a preset as soon as platform, day and amount are there', () => {
    const preset = (change: Partial<typeof typed>) =>
      defaultPlatformFee((name) => ({ ...typed, ...change })[name], surroundings.fees)
    expect(preset({ quantity: '' })).toBe(5207)
    expect(preset({ gross: '' })).toBeUndefined()
  })
})

describe('where the units come from', () => {
  test.each([
    ['one lot', { lot: '8', quantity: '2' }, 14_000],
    ['another lot than it was sold from', { lot: '7', quantity: '2' }, 12_900],
    ['used ones', { lot: 'used', quantity: '2' }, 6000],
    ['the lots it was sold from', { lot: 'kept', quantity: '1' }, 7000],
    ['no lot, unknown cost', { lot: 'none' }, null],
    ['no lot, known cost', { lot: 'none', cost: '99.5' }, 9950],
    ['no lot, a gift', { lot: 'none', cost: '0' }, 0],
  ])('%s', (_, change, cost) => {
    expect(read(change)).toMatchObject({ cost })
  })
})

test.each([
  ['a platform of no list', { platform: 'moon' }, 'Choose where it was sold.'],
  ['tomorrow', { date: '2026-07-01' }, 'The day of the sale'],
  ['no day of the calendar', { date: '2026-02-30' }, 'The day of the sale'],
  ['no units', { quantity: '0' }, 'The units'],
  ['no price', { gross: '' }, 'Enter what the buyer paid'],
  ['a negative price', { gross: '-1' }, 'Enter what the buyer paid'],
  ['a fee in words', { 'payment-fees': 'some' }, 'A fee must be'],
  ['shipping in words', { shipping: 'free' }, 'Shipping must be'],
  ['a cost in words', { lot: 'none', cost: 'x' }, 'The cost must be'],
  ['a fee of the platform in words', { 'platform-fees': 'some' }, 'A fee must be'],
  ['no lot’s number', { lot: '0' }, 'Choose where the units come from.'],
  ['a number and more', { lot: '7x' }, 'Choose where the units come from.'],
  ['more and a number', { lot: 'x7' }, 'Choose where the units come from.'],
  ['a lot whose number has several digits, and is not held', { lot: '12345' }, 'That lot has 0 units, not 3.'],
  ['a lot in words', { lot: 'best' }, 'Choose where the units come from.'],
  ['more than there are', { quantity: '5' }, 'You hold 4 sealed units, not 5.'],
  ['more than the lot has', { lot: '7' }, 'That lot has 2 units, not 3.'],
  ['before they were bought', { date: '2025-02-01' }, 'You hold 2 sealed units that were bought by 2025-02-01, not 3.'],
])('refused: %s', (_, change, sentence) => {
  expect(read(change)).toContain(sentence)
})

test('the dearest units there can be', () => {
  const lots = [
    { id: 1, condition: 'sealed' as const, quantity: 101, price: 9_999_999_999, date: '2025-01-15' },
    { id: 2, condition: 'sealed' as const, quantity: 1, price: 99, date: '2025-01-14' },
  ]
  const sell = (quantity: string) => parseSale((name) => ({ ...typed, quantity })[name], { ...surroundings, lots })
  expect(sell('101')).toMatchObject({ cost: 999_999_999_999 })
  expect(sell('102')).toBe('That is more than a sale can cost.')
})
