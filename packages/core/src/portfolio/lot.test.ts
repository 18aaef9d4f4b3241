import { describe, expect, test } from 'vitest'
import { isCondition } from '../catalog/condition.ts'
import { isLotStatus, isValidPurchaseDate, MAX_NOTES, parseLot, parsePrice, parseQuantity } from './lot.ts'

const TODAY = '2026-11-15'
const GOOD = {
  quantity: '2',
  price: '12.50',
  condition: 'sealed',
  status: 'owned',
  date: '2025-03-31',
  notes: ' from a fair ',
}

function parse(overrides: Partial<typeof GOOD> = {}) {
  const fields: Record<string, string> = { ...GOOD, ...overrides }
  return parseLot((name) => fields[name]!, TODAY)
}

describe('parseLot', () => {
  test('parses all fields', () => {
    expect(parse()).toEqual({
      quantity: 2,
      price: 1250,
      condition: 'sealed',
      status: 'owned',
      date: '2025-03-31',
      notes: 'from a fair',
    })
  })

  test('trims fields and accepts a price of 0 and empty notes', () => {
    const overrides = {
      quantity: ' 3 ',
      price: ' 0 ',
      condition: ' used ',
      status: ' listed ',
      date: ` ${TODAY} `,
      notes: '  ',
    }
    expect(parse(overrides)).toMatchObject({
      quantity: 3,
      price: 0,
      condition: 'used',
      status: 'listed',
      date: TODAY,
      notes: null,
    })
  })

  test('an empty price or date is unknown', () => {
    expect(parse({ price: ' ', date: ' ' })).toMatchObject({ price: null, date: null })
  })

  test.each([
    [{ quantity: '0' }, 'Enter a quantity between 1 and 1,000,000.'],
    [{ price: '12,50' }, 'Enter a valid price, e.g. 12.50 (0 for gifts), or leave it blank.'],
    [{ condition: 'new' }, 'Choose Sealed or Used.'],
    [{ status: 'sold' }, 'Choose Owned or Listed.'],
    [{ date: '2026-11-16' }, 'Enter a date no later than today, e.g. 2025-03-31.'],
    [{ notes: 'x'.repeat(MAX_NOTES + 1) }, 'Notes can be up to 2,000 characters.'],
  ])('rejects %j with a message', (overrides, sentence) => {
    expect(parse(overrides)).toBe(sentence)
  })

  test('accepts notes of the maximum length', () => {
    expect(parse({ notes: 'x'.repeat(MAX_NOTES) })).toHaveProperty('notes', 'x'.repeat(MAX_NOTES))
  })
})

test.each([
  ['1', 1],
  ['1000000', 1_000_000],
  [' 7 ', 7],
  ['0', undefined],
  ['1000001', undefined],
  ['12345678', undefined],
  ['1.5', undefined],
  ['-1', undefined],
  ['x1', undefined],
  ['1x', undefined],
  ['', undefined],
])('parses the quantity %j as %j', (text, quantity) => {
  expect(parseQuantity(text)).toBe(quantity)
})

test.each([
  ['12', 1200],
  ['12.5', 1250],
  ['12.50', 1250],
  ['0', 0],
  [' 0.07 ', 7],
  ['9999999.99', 999_999_999],
  ['100000000', undefined],
  ['12.', undefined],
  ['12.505', undefined],
  ['.5', undefined],
  ['$12', undefined],
  ['12 USD', undefined],
  ['', undefined],
])('parses the price %j as %j cents', (text, cents) => {
  expect(parsePrice(text)).toBe(cents)
})

test.each([
  ['1900-01-01', true],
  ['1899-12-31', false],
  [TODAY, true],
  ['2026-11-16', false],
  ['2024-02-29', true],
  ['2025-02-29', false],
  ['2025-13-01', false],
  ['2025-1-01', false],
  ['2025-01-01T00:00', false],
  ['x2025-01-01', false],
  ['', false],
])('isValidPurchaseDate(%j) is %j', (text, isValid) => {
  expect(isValidPurchaseDate(text, TODAY)).toBe(isValid)
})

test('isCondition and isLotStatus accept only their own values', () => {
  expect(['sealed', 'used', 'new', ''].map(isCondition)).toEqual([true, true, false, false])
  expect(['owned', 'listed', 'sold', ''].map(isLotStatus)).toEqual([true, true, false, false])
})
