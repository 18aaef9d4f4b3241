import { describe, expect, test } from 'vitest'
import { defaultPlatformFee, parseSale, type SaleField } from './sale-form.ts'
import { saleResult } from './sale.ts'

const context = {
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
      source: 'synthetic',
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
const parse = (change: Partial<Record<SaleField, string>> = {}) =>
  parseSale((name) => ({ ...typed, ...change })[name], context)

test('computes net, profit and ROI from the oldest lots and the preset fee', () => {
  const sale = parse()
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
  test('typed fees override the preset, including 0', () => {
    expect(parse({ 'platform-fees': '0' })).toMatchObject({ platformFees: 0 })
    expect(parse({ 'platform-fees': '1.5', 'payment-fees': '2' })).toMatchObject({
      platformFees: 150,
      paymentFees: 200,
    })
  })

  test('empty fees are 0 without a preset', () => {
    expect(parse({ platform: 'local' })).toMatchObject({ platformFees: 0 })
    expect(parse({ date: '2024-03-14', lot: 'none' })).toMatchObject({ platformFees: 0 })
  })

  test('the preset needs only platform, date and gross', () => {
    const preset = (change: Partial<typeof typed>) =>
      defaultPlatformFee((name) => ({ ...typed, ...change })[name], context.fees)
    expect(preset({ quantity: '' })).toBe(5207)
    expect(preset({ gross: '' })).toBeUndefined()
  })
})

describe('lot selection', () => {
  test.each([
    ['a single lot', { lot: '8', quantity: '2' }, 14_000],
    ['a different lot than it was sold from', { lot: '7', quantity: '2' }, 12_900],
    ['used lots', { lot: 'used', quantity: '2' }, 6000],
    ['the lots it was sold from', { lot: 'kept', quantity: '1' }, 7000],
    ['no lot, unknown cost', { lot: 'none' }, null],
    ['no lot, known cost', { lot: 'none', cost: '99.5' }, 9950],
    ['no lot, a gift', { lot: 'none', cost: '0' }, 0],
  ])('%s', (_, change, cost) => {
    expect(parse(change)).toMatchObject({ cost })
  })
})

test.each([
  ['an unknown platform', { platform: 'moon' }, 'Choose a platform.'],
  ['a date in the future', { date: '2026-07-01' }, 'Enter a sale date'],
  ['an invalid calendar date', { date: '2026-02-30' }, 'Enter a sale date'],
  ['a quantity of 0', { quantity: '0' }, 'Enter a quantity'],
  ['an empty price', { gross: '' }, 'Enter what the buyer paid'],
  ['a negative price', { gross: '-1' }, 'Enter what the buyer paid'],
  ['a payment fee that is not a number', { 'payment-fees': 'some' }, 'Enter a valid fee'],
  ['shipping that is not a number', { shipping: 'free' }, 'Enter a valid shipping cost'],
  ['a cost that is not a number', { lot: 'none', cost: 'x' }, 'Enter a valid cost'],
  ['a platform fee that is not a number', { 'platform-fees': 'some' }, 'Enter a valid fee'],
  ['lot id 0', { lot: '0' }, 'Choose a lot.'],
  ['a lot id with a suffix', { lot: '7x' }, 'Choose a lot.'],
  ['a lot id with a prefix', { lot: 'x7' }, 'Choose a lot.'],
  ['a lot id that is not held', { lot: '12345' }, 'No units available in that lot, but you’re selling 3.'],
  ['a lot that is not a number', { lot: 'best' }, 'Choose a lot.'],
  ['more units than are held', { quantity: '5' }, 'Only 4 sealed units available, but you’re selling 5.'],
  ['more units than the lot has', { lot: '7' }, 'Only 2 units available in that lot, but you’re selling 3.'],
  [
    'a sale before the purchase',
    { date: '2025-02-01' },
    'Only 2 sealed units available as of 2025-02-01, but you’re selling 3.',
  ],
])('rejects %s', (_, change, sentence) => {
  expect(parse(change)).toContain(sentence)
})

test('accepts the maximum cost and rejects anything above it', () => {
  const lots = [
    { id: 1, condition: 'sealed' as const, quantity: 101, price: 9_999_999_999, date: '2025-01-15' },
    { id: 2, condition: 'sealed' as const, quantity: 1, price: 99, date: '2025-01-14' },
  ]
  const sell = (quantity: string) => parseSale((name) => ({ ...typed, quantity })[name], { ...context, lots })
  expect(sell('101')).toMatchObject({ cost: 999_999_999_999 })
  expect(sell('102')).toBe('That cost is too high.')
})
