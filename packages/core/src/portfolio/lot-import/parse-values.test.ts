import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { escapeFormula, unescapeFormula, formatCsv } from '../../primitives/csv.ts'
import { lotsToCsv } from '../lot-export.ts'
import { toRowIdentity } from './set-matcher.ts'
import { inferDateOrder, parseAmount, parseCondition, parseDate } from './parse-values.ts'

describe('parseAmount', () => {
  test.each([
    ['12', 1200, null],
    ['12.5', 1250, null],
    ['$1,234.50', 123450, 'USD'],
    ['1.234,50 €', 123450, 'EUR'],
    ['€ 1 234,5', 123450, 'EUR'],
    ["1'234.50 CHF", 123450, 'CHF'],
    ['1,234', 123400, null],
    ['1,234,567', 123456700, null],
    ['0.125', 13, null],
    ['12.3450', 1235, null],
    ['GBP 7', 700, 'GBP'],
    ['.5', 50, null],
    ['12. €', 1200, 'EUR'],
    ['.25', 25, null],
    [' 12\u00a0345,60\u202f€ ', 1234560, 'EUR'],
    ['12.345.678', 1234567800, null],
    ['1.234.567,89', 123456789, null],
    ['12,345.60', 1234560, null],
    ['1000.125', 100013, null],
    ['0.500', 50, null],
  ])('parses %s as %i cents', (text, cents, currency) => {
    expect(parseAmount(text)).toEqual({ cents, currency })
  })

  test.each([
    '',
    'free',
    '-5',
    '5 USD EUR',
    '1.2.3,4,5',
    'XYZ 5',
    '..',
    '=1+1',
    '1.234.56',
    '1,2,3',
    '12.34.567',
    '1.2,345.6',
  ])('rejects %s', (text) => {
    expect(parseAmount(text)).toBeUndefined()
  })

  test('1.234 is ambiguous unless decimalPointOnly is set', () => {
    expect(parseAmount('1.234')).toBe('unsure')
    expect(parseAmount('12.345')).toBe('unsure')
    expect(parseAmount('123.456')).toBe('unsure')
    expect(parseAmount('1.234', true)).toEqual({ cents: 123, currency: null })
  })

  test.each([
    ['1,234.50', 123450],
    ['12,345,678', 1234567800],
    ['1234.5', 123450],
  ])('parses machine-written %s', (text, cents) => {
    expect(parseAmount(text, true)).toEqual({ cents, currency: null })
  })

  test.each(['12,50', '1,23,456', '1234,567', '1.234,50', '1.2.3'])('rejects %s with decimalPointOnly', (text) => {
    expect(parseAmount(text, true)).toBeUndefined()
  })
})

describe('parseDate', () => {
  test.each([
    ['2025-03-04', '2025-03-04'],
    ['2025/3/4', '2025-03-04'],
    ['2025-03-04T10:11:12Z', '2025-03-04'],
    ['25/04/2025', '2025-04-25'],
    ['04/25/2025', '2025-04-25'],
    ['3.4.2025', '2025-04-03'],
    ['03/03/25', '2025-03-03'],
    ['4 Mar 2025', '2025-03-04'],
    ['March 4, 2025', '2025-03-04'],
    ['04-Mar-2025', '2025-03-04'],
    [' 2025-03-04 ', '2025-03-04'],
    ['2025-03-04 10:11', '2025-03-04'],
    ['Mar 14 2025', '2025-03-14'],
    ['Mar. 14, 2025', '2025-03-14'],
    ['14 Mar., 2025', '2025-03-14'],
    ['25/04/2025 10:11:12', '2025-04-25'],
    ['25/04/2025, 10:11', '2025-04-25'],
    ['3/03/2025', '2025-03-03'],
    ['03/3/2025', '2025-03-03'],
  ])('parses %s as %s', (text, day) => {
    expect(parseDate(text, undefined)).toBe(day)
  })

  test('03/04/2025 is ambiguous without a date order', () => {
    expect(parseDate('03/04/2025', undefined)).toBe('unsure')
    expect(parseDate('03/04/2025', 'day-first')).toBe('2025-04-03')
    expect(parseDate('03/04/2025', 'month-first')).toBe('2025-03-04')
    expect(parseDate('12/04/2025', undefined)).toBe('unsure')
    expect(parseDate('04/12/2025', undefined)).toBe('unsure')
  })

  test('inferDateOrder uses days above 12 and returns undefined if they conflict', () => {
    expect(inferDateOrder(['03/04/2025', ' 25/04/2025 '])).toBe('day-first')
    expect(inferDateOrder(['04/25/2025'])).toBe('month-first')
    expect(inferDateOrder(['25/04/2025', '04/25/2025'])).toBeUndefined()
    expect(inferDateOrder(['03/04/2025', '03/03/2025', '12/12/2025', '3.4.2025', 'soon'])).toBeUndefined()
  })

  test.each([
    '',
    'soon',
    '30/02/2025',
    '2025-13-01',
    '4 Foo 2025',
    '45000',
    'x 2025-03-04',
    '2025-03-04x',
    'x4 Mar 2025',
    '4 Mar 20255',
    '1 March 4, 2025',
    'March 4, 2025 BC',
    '125/04/2025',
    '25/04/2025x',
    '25/04-2025',
  ])('rejects %s', (text) => {
    expect(parseDate(text, 'day-first')).toBeUndefined()
  })
})

test.each([
  ['New', 'sealed'],
  ['N', 'sealed'],
  ['new (sealed)', 'sealed'],
  ['Unopened', 'sealed'],
  ['Used', 'used'],
  ['U', 'used'],
  ['UsedAsNew', 'used'],
  ['New, opened', 'used'],
  ['', undefined],
  ['great', undefined],
  ['like new', undefined],
  ['nice', undefined],
])('parses the condition %s as %s', (text, condition) => {
  expect(parseCondition(text)).toBe(condition)
})

describe('CSV', () => {
  test.each(['=1+1', '＝1+1', '＋1', '－1', '＠SUM(A1)', '+1', '-1', '@SUM(A1)', '\tx', '\rx', "'quoted"])(
    'escapes %j and restores it',
    (text) => {
      expect(escapeFormula(text)).toBe(`'${text}`)
      expect(unescapeFormula(escapeFormula(text))).toBe(text)
    },
  )

  test('escaping and unescaping preserves any text and never yields a formula', () => {
    fc.assert(fc.property(fc.string(), (text) => unescapeFormula(escapeFormula(text)) === text))
    fc.assert(fc.property(fc.string(), (text) => !/^[=+\-@\t\r]/.test(escapeFormula(text))))
  })

  test('quotes cells only when needed', () => {
    expect(formatCsv([['a', 'b,c', 'd"e', 'f\ng', ' h', '=i']])).toBe(`a,"b,c","d""e","f\ng"," h",'=i\r\n`)
  })

  test('lotsToCsv writes the header and one escaped row per lot', () => {
    const lot = {
      collection: '@home',
      set_number: '90001-1',
      minifig_number: null,
      title: 'Tidewater, Lighthouse',
      condition: 'sealed',
      status: 'owned',
      quantity: 2,
      purchase_price_cents: 6450,
      purchase_date: '2025-01-15',
      notes: null,
      value_cents: 7000,
      data_tier: 'market',
      own_value_date: null,
    }
    const minifig = { ...lot, set_number: null, minifig_number: 'mtw001', condition: 'used' }
    const bricks = {
      ...minifig,
      minifig_number: null,
      title: 'Mixed bricks',
      condition: null,
      data_tier: null,
      own_value_date: '2026-10-25',
    }
    const lots = [
      lot,
      { ...lot, value_cents: 6000, data_tier: 'modelled' },
      { ...lot, value_cents: null },
      minifig,
      bricks,
    ]
    expect(lotsToCsv(lots)).toBe(
      'collection,set_number,title,condition,status,quantity,purchase_price_usd,purchase_date,notes,value_usd,gain_usd,value_basis,type\r\n' +
        `'@home,90001-1,"Tidewater, Lighthouse",sealed,owned,2,64.50,2025-01-15,,140,11,from recent sales,set\r\n` +
        `'@home,90001-1,"Tidewater, Lighthouse",sealed,owned,2,64.50,2025-01-15,,120,-9,from similar sets,set\r\n` +
        `'@home,90001-1,"Tidewater, Lighthouse",sealed,owned,2,64.50,2025-01-15,,,,,set\r\n` +
        `'@home,mtw001,"Tidewater, Lighthouse",used,owned,2,64.50,2025-01-15,,140,11,from recent sales,minifig\r\n` +
        `'@home,,Mixed bricks,,owned,2,64.50,2025-01-15,,140,11,your value of 2026-10-25,custom\r\n`,
    )
  })
})

describe('hostile cells of a million characters are parsed within 100 ms', () => {
  const LONG = 1_000_000
  const cpuMs = (work: () => unknown) => {
    const before = process.cpuUsage()
    work()
    return process.cpuUsage(before).user / 1000
  }

  test.each([
    ['commas', `1${','.repeat(LONG)}x1`],
    ['spaces', `1${' '.repeat(LONG)}x1`],
    ['digits', `${'1'.repeat(LONG)}x1`],
    ['groups', `1${',111'.repeat(LONG / 4)}x1`],
    ['currency symbols', `${'$'.repeat(LONG)}1`],
  ])('%s', (_, cell) => {
    expect(cpuMs(() => expect(parseAmount(cell)).toBeUndefined())).toBeLessThan(100)
    expect(cpuMs(() => expect(parseAmount(cell, true)).toBeUndefined())).toBeLessThan(100)
    expect(cpuMs(() => expect(parseDate(`2025-01-01 ${cell}\nx`, undefined)).toBeUndefined())).toBeLessThan(100)
    expect(cpuMs(() => expect(parseCondition(cell)).toBeUndefined())).toBeLessThan(100)
    expect(cpuMs(() => toRowIdentity([cell], { number: 0 }))).toBeLessThan(100)
  })

  test('parses amounts of up to 40 characters', () => {
    expect(parseAmount(`$${' '.repeat(34)}12.50`)).toEqual({ cents: 1250, currency: 'USD' })
    expect(parseAmount(`$${' '.repeat(35)}12.50`)).toBeUndefined()
  })
})
