import { describe, expect, test } from 'vitest'
import { MAX_COLLECTION_NAME, MAX_NOTES } from '../lot.ts'
import { IMPORT_FIELDS, type FormatName, type ImportField, type ColumnMapping } from './format.ts'
import { parseRow } from './row.ts'

const MAPPING = Object.fromEntries(IMPORT_FIELDS.map((field, index) => [field, index])) as ColumnMapping

function parse(fields: Partial<Record<ImportField, string>>, format: FormatName = 'other') {
  const cells = IMPORT_FIELDS.map((field) => fields[field] ?? '')
  return parseRow(cells, MAPPING, { format, order: undefined, today: '2026-06-30' })
}

test('empty cells leave values undefined', () => {
  expect(parse({})).toEqual({
    quantity: 1,
    condition: undefined,
    status: 'owned',
    amount: undefined,
    day: undefined,
    dayText: '',
    notes: null,
    collection: null,
  })
})

test('trims cells', () => {
  expect(parse({ quantity: ' 3 ', price: ' ', date: ' ', condition: ' used ', type: ' s ', notes: ' ' })).toMatchObject(
    {
      quantity: 3,
      amount: undefined,
      day: undefined,
      condition: 'used',
      notes: null,
    },
  )
})

describe('quantities', () => {
  test.each([
    ['10', 10],
    ['100', 100],
    ['2.0', 2],
    ['2.000', 2],
  ])('parses %s as %i', (quantity, expected) => {
    expect(parse({ quantity })).toMatchObject({ quantity: expected })
  })

  test.each(['0', '000'])('rejects %s as zero', (quantity) => {
    expect(parse({ quantity })).toBe('Quantity is 0')
  })

  test.each(['2.5', '2.05', '2.0.5', '-1', '1000001'])(
    'rejects %s, which is not a whole number in range',
    (quantity) => {
      expect(parse({ quantity })).toBe(`Invalid quantity: ${quantity}`)
    },
  )
})

test.each([
  ['2026-07-01', 'Date is in the future: 2026-07-01'],
  ['1899-12-31', 'Date is too early: 1899-12-31'],
  ['someday', 'Invalid date: someday'],
])('rejects the date %s', (date, message) => {
  expect(parse({ date })).toBe(message)
})

describe('texts', () => {
  test('accepts texts of the maximum length and rejects longer ones', () => {
    const [notes, collection] = ['n'.repeat(MAX_NOTES), 'c'.repeat(MAX_COLLECTION_NAME)]
    expect(parse({ notes, collection })).toMatchObject({ notes, collection })
    expect(parse({ notes: `${notes}n` })).toBe('Notes are longer than 2,000 characters')
    expect(parse({ collection: `${collection}c` })).toBe(
      `Collection name is longer than ${MAX_COLLECTION_NAME} characters`,
    )
  })

  test('restores texts of the Brickmark format exactly and trims those of others', () => {
    expect(parse({ notes: " '=1 " }, 'own')).toMatchObject({ notes: " '=1 " })
    expect(parse({ notes: "'=1" }, 'own')).toMatchObject({ notes: '=1' })
    expect(parse({ notes: " '=1 " })).toMatchObject({ notes: "'=1" })
  })
})
