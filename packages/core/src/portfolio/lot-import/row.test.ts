import { describe, expect, test } from 'vitest'
import { MAX_COLLECTION_NAME, MAX_NOTES } from '../lot.ts'
import { IMPORT_FIELDS, type FormatName, type ImportField, type ColumnMapping } from './format.ts'
import { parseRow } from './row.ts'

const MAPPING = Object.fromEntries(IMPORT_FIELDS.map((field, index) => [field, index])) as ColumnMapping

function read(said: Partial<Record<ImportField, string>>, format: FormatName = 'other') {
  const cells = IMPORT_FIELDS.map((field) => said[field] ?? '')
  return parseRow(cells, MAPPING, { format, order: undefined, today: '2026-06-30' })
}

test('what a row does not say is left open', () => {
  expect(read({})).toEqual({
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

test('spaces around a cell say nothing', () => {
  expect(read({ quantity: ' 3 ', price: ' ', date: ' ', condition: ' used ', type: ' s ', notes: ' ' })).toMatchObject({
    quantity: 3,
    amount: undefined,
    day: undefined,
    condition: 'used',
    notes: null,
  })
})

describe('quantities', () => {
  test.each([
    ['10', 10],
    ['100', 100],
    ['2.0', 2],
    ['2.000', 2],
  ])('%s is %i', (quantity, expected) => {
    expect(read({ quantity })).toMatchObject({ quantity: expected })
  })

  test.each(['0', '000'])('%s is none', (quantity) => {
    expect(read({ quantity })).toBe('its quantity is 0')
  })

  test.each(['2.5', '2.05', '2.0.5', '-1', '1000001'])('%s is not a whole number of sets', (quantity) => {
    expect(read({ quantity })).toBe(`the quantity ${quantity} is not a whole number up to 1,000,000`)
  })
})

describe('texts', () => {
  test('as long as they can be, and one letter more', () => {
    const [notes, collection] = ['n'.repeat(MAX_NOTES), 'c'.repeat(MAX_COLLECTION_NAME)]
    expect(read({ notes, collection })).toMatchObject({ notes, collection })
    expect(read({ notes: `${notes}n` })).toBe(`its notes have more than ${MAX_NOTES} characters`)
    expect(read({ collection: `${collection}c` })).toBe(
      `the name of its collection has more than ${MAX_COLLECTION_NAME} characters`,
    )
  })

  test('our own come back to the letter, those of others without spaces', () => {
    expect(read({ notes: " '=1 " }, 'own')).toMatchObject({ notes: " '=1 " })
    expect(read({ notes: "'=1" }, 'own')).toMatchObject({ notes: '=1' })
    expect(read({ notes: " '=1 " })).toMatchObject({ notes: "'=1" })
  })
})
