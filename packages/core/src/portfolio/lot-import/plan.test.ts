import { describe, expect, test } from 'vitest'
import { columnValues, detectFormat, canIdentifySets, formatTitle, type ImportTable } from './format.ts'
import { collectLookupKeys, type MatchableSet } from './set-matcher.ts'
import { unansweredQuestions, planImport, parseExchangeRate, type ImportOptions, type PlannedRow } from './plan.ts'

const TODAY = '2026-06-30'
const set = (set_number: string, title: string, codes: Partial<MatchableSet> = {}): MatchableSet => ({
  set_number,
  title,
  upc: null,
  ean: null,
  msrp_cents: null,
  release_date: null,
  ...codes,
})
const SETS = [
  set('90001-1', 'Tidewater Lighthouse', { upc: '673419000017', ean: '5702019000013' }),
  set('90002-1', 'Café at the Corner'),
  set('90010-1', 'Mystery Figure'),
  set('90010-2', 'Second Mystery'),
  set('GWP7', 'Gift'),
  set('90020-1', 'Twin'),
  set('90021-1', 'Twin'),
]

function toTable(text: string): ImportTable {
  const [header = [], ...rows] = text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(','))
  return { header, rows: rows.map((cells, index) => ({ row: index + 2, cells })) }
}

function plan(text: string, importOptions: ImportOptions = {}, sets = SETS) {
  const table = toTable(text)
  const detected = detectFormat(table.header)
  const result = planImport(table, detected, importOptions, sets, TODAY)
  return { ...result, ...detected, open: unansweredQuestions(result, importOptions), lots: result.rows.map(summarize) }
}

function summarize(row: PlannedRow) {
  if (row.state !== 'ready') return `${row.row} ${row.state}: ${row.reason}`
  const { setNumber, quantity, condition, status, price, date, notes, collection } = row.lot
  return [row.row, setNumber, quantity, condition, status, price ?? '?', date ?? '?', notes, collection]
    .map((value) => value ?? '')
    .join(' ')
    .trim()
}

describe('known formats', () => {
  test('Rebrickable: reads number and quantity; reports condition, price and date as missing', () => {
    const result = plan(`Set Number,Quantity,Includes Spares,Inventory Ver
      90001-1,2,True,1
      90002-1,1,True,1`)
    expect(result.format).toBe('rebrickable')
    expect(result.lots).toEqual(['2 90001-1 2 sealed owned ? ?', '3 90002-1 1 sealed owned ? ?'])
    expect(result.missing).toEqual({ condition: 2, price: 2, date: 2 })
    expect(
      plan('Set Number,Quantity,Includes Spares\n90001-1,1,True', {
        price: '12.5',
        date: '2025-01-01',
        condition: 'used',
      }).lots,
    ).toEqual(['2 90001-1 1 used owned 1250 2025-01-01'])
  })

  test('Brickset: ignores retail prices', () => {
    const result =
      plan(`Number,Theme,Subtheme,Year,SetName,Minifigs,Pieces,UKPrice,USPrice,CAPrice,EUPrice,ImageURL,QtyOwned
      90001-1,Harbor,,2023,Tidewater Lighthouse,2,512,69.99,79.99,99.99,74.99,,3`)
    expect(result.format).toBe('brickset')
    expect(result.lots).toEqual(['2 90001-1 3 sealed owned ? ?'])
    expect(plan('Number,Variant,Theme,SetName\n90010,2,Figures,Second Mystery').lots).toEqual([
      '2 90010-2 1 sealed owned ? ?',
    ])
  })

  test('BrickEconomy: one lot per row, including identical rows; asks for date order and exchange rate once', () => {
    const text = `Number,Theme,Subtheme,Year,SetName,Retail,Paid,Value,Condition,Date,Notes
      90001-1,Harbor,,2023,Tidewater Lighthouse,€79.99,€64.50,€112.40,New,03/04/2025,dented
      90001-1,Harbor,,2023,Tidewater Lighthouse,€79.99,€64.50,€112.40,New,03/04/2025,dented
      90002-1,Town,,2022,Café at the Corner,€9.99,€5.00,€5.00,UsedComplete,05/05/2025,`
    const asked = plan(text)
    expect(asked.format).toBe('brickeconomy')
    expect(asked.ambiguousDate).toEqual({ row: 2, text: '03/04/2025' })
    expect(asked.currencies).toEqual(['EUR'])
    expect(asked.open).toEqual(['Choose the date format.', 'Enter the exchange rate for EUR.'])
    const answered = plan(text, { dates: 'day-first', rates: { EUR: '1.1' } })
    expect(answered.open).toEqual([])
    expect(answered.lots).toEqual([
      '2 90001-1 1 sealed owned 7095 2025-04-03 dented',
      '3 90001-1 1 sealed owned 7095 2025-04-03 dented',
      '4 90002-1 1 used owned 550 2025-05-05',
    ])
    expect(plan(text, { dates: 'month-first', rates: { EUR: '1' } }).lots[0]).toContain('2025-03-04')
  })

  test('BrickLink: uses MYCOST, not PRICE; lists items outside the stockroom; skips parts and minifigs', () => {
    const result = plan(
      `ITEMTYPE,ITEMID,COLOR,PRICE,QTY,CONDITION,MYCOST,STOCKROOM,REMARKS
      S,90001-1,0,99.0000,2,N,64.500,,shelf A
      S,90002-1,0,20.0000,1,U,,Y,
      P,3001,5,0.1000,10,N,,,
      M,fig001,0,5.0000,1,N,,,`,
      { currency: 'USD' },
    )
    expect(result.format).toBe('bricklink')
    expect(result.lots).toEqual([
      '2 90001-1 2 sealed listed 6450 ? shelf A',
      '3 90002-1 1 used owned ? ?',
      '4 skipped: Not a set',
      '5 skipped: Not a set',
    ])
  })

  test('Brickmark: needs no further options and restores texts exactly', () => {
    const result = plan(`collection,set_number,title,condition,status,quantity,purchase_price_usd,purchase_date,notes
      Stock,90001-1,Tidewater Lighthouse,used,listed,4,12.345,2024-02-29,'=1+1`)
    expect(result).toMatchObject({ format: 'own', open: [], pricesWithoutCurrency: false })
    expect(result.missing).toEqual({ condition: 0, price: 0, date: 0 })
    expect(result.lots).toEqual(['2 90001-1 4 used listed 1235 2024-02-29 =1+1 Stock'])
  })
})

describe('other headers', () => {
  test('guesses the mapping from column names and reports the format as other', () => {
    const { format, mapping } = detectFormat(['Item Number', 'What I paid', 'Qty', 'Bought on', 'Comment'])
    expect(format).toBe('other')
    expect(mapping).toEqual({ number: 0, quantity: 2, date: 3, notes: 4 })
    expect(canIdentifySets(mapping)).toBe(true)
    expect(canIdentifySets(detectFormat(['a', 'b']).mapping)).toBe(false)
  })

  test('a barcode or title is enough to identify sets; each column is mapped once', () => {
    expect(canIdentifySets({ barcode: 0 })).toBe(true)
    expect(canIdentifySets({ title: 0 })).toBe(true)
    expect(detectFormat(['Set', 'Price', 'Date']).mapping).toEqual({ number: 0, price: 1, date: 2 })
    expect(detectFormat(['item', 'item', 'name']).mapping).toEqual({ number: 0, title: 2 })
  })

  test('omits optional columns that a known format lacks', () => {
    expect(detectFormat(['Number', 'Theme', 'SetName']).mapping).toEqual({ number: 0, title: 2 })
  })

  test('columnValues fills in short rows', () => {
    const table = toTable('set no,date\n90001-1,2025-01-01\n90002-1')
    expect(columnValues(table, 1)).toEqual(['2025-01-01', ''])
    expect(columnValues(table, undefined)).toEqual([])
  })

  test('formatTitle names each format', () => {
    expect(formatTitle('own')).toBe('Brickmark')
    expect(formatTitle('brickset')).toBe('Brickset')
    expect(formatTitle('other')).toBe('Custom format')
  })
})

describe('set matching', () => {
  test('matches by number with or without variant in any case, by barcode and by title', () => {
    const result = plan(`set no,ean,name
      90001,,
      gwp7,,
      ,0673419000017,
      ,5702019000013,
      ,,café at the corner`)
    expect(result.lots.map((lot) => lot.split(' ')[1])).toEqual(['90001-1', 'GWP7', '90001-1', '90001-1', '90002-1'])
  })

  test('asks once per text about several variants, equal titles, and a title with another number', () => {
    const text = `set no,name
      90010,
      90010,
      99999-1,Tidewater Lighthouse
      ,Twin
      90010,Second Mystery`
    const asked = plan(text)
    expect(
      asked.choices.map(({ key, rows, candidates }) => [
        key,
        rows,
        candidates.map((candidate) => candidate.set_number),
      ]),
    ).toEqual([
      ['90010', 2, ['90010-1', '90010-2']],
      ['99999-1', 1, ['90001-1']],
      ['Twin', 1, ['90020-1', '90021-1']],
    ])
    expect(asked.lots[0]).toBe('2 choice: 90010 matches several sets: 90010-1, 90010-2')
    expect(asked.lots[4]).toContain('90010-2')
    const chosen = plan(text, { choices: { 90010: '90010-2', '99999-1': '90001-1', Twin: '90001-1' } })
    expect(chosen.lots.map((lot) => lot.split(' ')[1])).toEqual(['90010-2', '90010-2', '90001-1', 'choice:', '90010-2'])
  })

  test('skips rows that cannot be matched or parsed, with a reason', () => {
    expect(
      plan(`set no,ean,name,qty,date,price
        77777-1,,,,,
        ,5709999999999,,,,
        ,,No such title,,,
        ,,,,,
        90001-1,,,0,,
        90001-1,,,many,,
        90001-1,,,1,32.13.2024,
        90001-1,,,1,2999-01-01,
        90001-1,,,1,,free
        90001-1,,,1,,1.234`).lots,
    ).toEqual([
      '2 skipped: Set 77777-1 not found',
      '3 skipped: No set with barcode 5709999999999',
      '4 skipped: No set titled No such title',
      '5 skipped: No set number, barcode or title',
      '6 skipped: Quantity is 0',
      '7 skipped: Invalid quantity: many',
      '8 skipped: Invalid date: 32.13.2024',
      '9 skipped: Date is in the future: 2999-01-01',
      '10 skipped: Invalid price: free',
      '11 skipped: Ambiguous price: 1.234',
    ])
  })

  test('collectLookupKeys collects base numbers, barcodes and titles', () => {
    const table = toTable('set no,ean,name\n90001-1,,\n90010,5702019000013,Twin')
    expect(collectLookupKeys(table, detectFormat(table.header).mapping)).toEqual({
      bases: ['90001', '90010'],
      barcodes: ['5702019000013'],
      titles: ['twin'],
    })
  })
})

test('amounts without a symbol share one chosen currency; symbols take precedence', () => {
  const text = 'set no,price\n90001-1,10.00\n90002-1,£20\n90020-1,$30'
  expect(plan(text).open).toEqual(['Choose the currency.', 'Enter the exchange rate for GBP.'])
  const answers = { currency: 'EUR', rates: { GBP: '1.25' } }
  expect(plan(text, answers).open).toEqual(['Enter the exchange rate for EUR.'])
  expect(plan(text, { ...answers, rates: { GBP: '1.25', EUR: '1.5' } }).lots).toEqual([
    '2 90001-1 1 sealed owned 1500 ?',
    '3 90002-1 1 sealed owned 2500 ?',
    '4 90020-1 1 sealed owned 3000 ?',
  ])
})

test('a row with an open question is a choice and names the question', () => {
  const text = 'set no,price,date\n90001-1,10.00,2025-01-01\n90001-1,£20,2025-01-01\n90001-1,$1,03/04/2025'
  expect(plan(text).lots).toEqual([
    '2 choice: Currency needed',
    '3 choice: Exchange rate needed for GBP',
    '4 choice: Ambiguous date: 03/04/2025',
  ])
})

test('currencies are sorted regardless of row order', () => {
  expect(plan('set no,price\n90001-1,£1\n90001-1,€1\n90001-1,C$1').currencies).toEqual(['CAD', 'EUR', 'GBP'])
})

test('skips prices above the maximum', () => {
  expect(plan('set no,price\n90001-1,$9999999.99\n90001-1,$10000000.00').lots).toEqual([
    '2 90001-1 1 sealed owned 999999999 ?',
    '3 skipped: Price is too high',
  ])
})

describe('defaults for rows without a value', () => {
  const text = 'set no,price,date\n90001-1,,\n90002-1,$5,2025-01-01'
  const completeLot = '3 90002-1 1 sealed owned 500 2025-01-01'
  const PRICE = 'Enter a valid price in USD, e.g. 12.50 (0 for gifts), or leave it blank.'
  const DATE = 'Enter a date no later than today, e.g. 2025-03-31.'

  test.each([
    ['$20', 2000],
    ['12,50', 1250],
    [' 1,234.50 USD ', 123450],
    ['0', 0],
    ['9999999.99', 999999999],
  ])('accepts a default price of %s', (price, cents) => {
    const result = plan(text, { price })
    expect(result.lots).toEqual([`2 90001-1 1 sealed owned ${cents} ?`, completeLot])
    expect(result).toMatchObject({ open: [], invalidDefaults: { price: undefined, date: undefined } })
  })

  test.each(['twenty', '1.234', '€20', '-5', '100000000'])(
    'rejects a default price of %s instead of ignoring it',
    (price) => {
      const result = plan(text, { price })
      expect(result.lots).toEqual(['2 choice: Invalid default purchase price', completeLot])
      expect(result).toMatchObject({ open: [PRICE], invalidDefaults: { price: PRICE, date: undefined } })
    },
  )

  test.each(['yesterday', '2026-07-01', '2026-02-30', '01/02/2026'])(
    'rejects a default date of %s instead of ignoring it',
    (date) => {
      const result = plan(text, { date })
      expect(result.lots).toEqual(['2 choice: Invalid default purchase date', completeLot])
      expect(result).toMatchObject({ open: [DATE], invalidDefaults: { price: undefined, date: DATE } })
    },
  )

  test('without defaults, price and date are unknown, or the retail price and the release date', () => {
    const sets = [
      set('90001-1', 'Lighthouse', { msrp_cents: 7999, release_date: '2023-03-01' }),
      set('90002-1', 'Café'),
    ]
    const lots = (fallback?: 'retail') => plan('set no\n90001-1\n90002-1', fallback && { fallback }, sets).lots
    expect(lots()).toEqual(['2 90001-1 1 sealed owned ? ?', '3 90002-1 1 sealed owned ? ?'])
    expect(lots('retail')).toEqual(['2 90001-1 1 sealed owned 7999 2023-03-01', '3 90002-1 1 sealed owned ? ?'])
  })

  test('a typed default goes before the retail price; a set that is not released yet has no date', () => {
    const sets = [set('90001-1', 'Lighthouse', { msrp_cents: 7999, release_date: '2026-07-01' })]
    expect(plan('set no\n90001-1', { fallback: 'retail', price: '5' }, sets).lots).toEqual([
      '2 90001-1 1 sealed owned 500 ?',
    ])
  })

  test('ignores invalid defaults if every row has its own values', () => {
    const result = plan('set no,price,date\n90002-1,$5,2025-01-01', { price: 'twenty', date: 'yesterday' })
    expect(result).toMatchObject({ open: [], invalidDefaults: { price: undefined, date: undefined } })
  })
})

describe('parseExchangeRate', () => {
  test.each([
    ['1.1', 1.1],
    [' 0.000001 ', 0.000001],
    ['1234', 1234],
  ])('parses %s', (text, rate) => {
    expect(parseExchangeRate(text)).toBe(rate)
  })

  test.each([undefined, '', '0', '0.0', '-1', '12345', '1.1234567', '1e2', 'x1', '1x', '0x1'])('rejects %s', (text) => {
    expect(parseExchangeRate(text)).toBeUndefined()
  })
})

test('an unambiguous date determines the order of the others', () => {
  expect(plan('set no,date\n90001-1,03/04/2025\n90001-1,25/04/2025').lots).toEqual([
    '2 90001-1 1 sealed owned ? 2025-04-03',
    '3 90001-1 1 sealed owned ? 2025-04-25',
  ])
  const mixed = plan('set no,date\n90001-1,03/04/2025\n90001-1,25/04/2025\n90001-1,04/25/2025')
  expect(mixed.ambiguousDate).toEqual({ row: 2, text: '03/04/2025' })
})
