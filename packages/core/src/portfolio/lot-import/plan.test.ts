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

function tableOf(text: string): ImportTable {
  const [header = [], ...rows] = text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(','))
  return { header, rows: rows.map((cells, index) => ({ row: index + 2, cells })) }
}

function plan(text: string, answers: ImportOptions = {}) {
  const table = tableOf(text)
  const detected = detectFormat(table.header)
  const made = planImport(table, detected, answers, SETS, TODAY)
  return { ...made, ...detected, open: unansweredQuestions(made, answers), lots: made.rows.map(inShort) }
}

function inShort(row: PlannedRow) {
  if (row.state !== 'ready') return `${row.row} ${row.state}: ${row.reason}`
  const { setNumber, quantity, condition, status, price, date, notes, collection } = row.lot
  return [row.row, setNumber, quantity, condition, status, price, date, notes, collection]
    .map((one) => one ?? '')
    .join(' ')
    .trim()
}

describe('the five formats', () => {
  test('Rebrickable: number and quantity; price and date are asked for', () => {
    const made = plan(`Set Number,Quantity,Includes Spares,Inventory Ver
      90001-1,2,True,1
      90002-1,1,True,1`)
    expect(made.format).toBe('rebrickable')
    expect(made.lots).toEqual(['2 90001-1 2 sealed owned 0 2026-06-30', '3 90002-1 1 sealed owned 0 2026-06-30'])
    expect(made.missing).toEqual({ condition: 2, price: 2, date: 2 })
    expect(
      plan('Set Number,Quantity,Includes Spares\n90001-1,1,True', {
        price: '12.5',
        date: '2025-01-01',
        condition: 'used',
      }).lots,
    ).toEqual(['2 90001-1 1 used owned 1250 2025-01-01'])
  })

  test('Brickset: its retail prices are not taken for what was paid', () => {
    const made =
      plan(`Number,Theme,Subtheme,Year,SetName,Minifigs,Pieces,UKPrice,USPrice,CAPrice,EUPrice,ImageURL,QtyOwned
      90001-1,Harbor,,2023,Tidewater Lighthouse,2,512,69.99,79.99,99.99,74.99,,3`)
    expect(made.format).toBe('brickset')
    expect(made.lots).toEqual(['2 90001-1 3 sealed owned 0 2026-06-30'])
    expect(plan('Number,Variant,Theme,SetName\n90010,2,Figures,Second Mystery').lots).toEqual([
      '2 90010-2 1 sealed owned 0 2026-06-30',
    ])
  })

  test('BrickEconomy: a row a copy, identical rows too; its dates and currency are asked for once', () => {
    const text = `Number,Theme,Subtheme,Year,SetName,Retail,Paid,Value,Condition,Date,Notes
      90001-1,Harbor,,2023,Tidewater Lighthouse,€79.99,€64.50,€112.40,New,03/04/2025,dented
      90001-1,Harbor,,2023,Tidewater Lighthouse,€79.99,€64.50,€112.40,New,03/04/2025,dented
      90002-1,Town,,2022,Café at the Corner,€9.99,€5.00,€5.00,UsedComplete,05/05/2025,`
    const asked = plan(text)
    expect(asked.format).toBe('brickeconomy')
    expect(asked.ambiguousDate).toEqual({ row: 2, text: '03/04/2025' })
    expect(asked.currencies).toEqual(['EUR'])
    expect(asked.open).toEqual([
      'Say whether the day or the month comes first in dates.',
      'Say how many US dollars one EUR is.',
    ])
    const answered = plan(text, { dates: 'day-first', rates: { EUR: '1.1' } })
    expect(answered.open).toEqual([])
    expect(answered.lots).toEqual([
      '2 90001-1 1 sealed owned 7095 2025-04-03 dented',
      '3 90001-1 1 sealed owned 7095 2025-04-03 dented',
      '4 90002-1 1 used owned 550 2025-05-05',
    ])
    expect(plan(text, { dates: 'month-first', rates: { EUR: '1' } }).lots[0]).toContain('2025-03-04')
  })

  test('BrickLink: what a store asks is not what was paid; only the stockroom is not for sale; parts are no sets', () => {
    const made = plan(
      `ITEMTYPE,ITEMID,COLOR,PRICE,QTY,CONDITION,MYCOST,STOCKROOM,REMARKS
      S,90001-1,0,99.0000,2,N,64.500,,shelf A
      S,90002-1,0,20.0000,1,U,,Y,
      P,3001,5,0.1000,10,N,,,
      M,fig001,0,5.0000,1,N,,,`,
      { currency: 'USD' },
    )
    expect(made.format).toBe('bricklink')
    expect(made.lots).toEqual([
      '2 90001-1 2 sealed listed 6450 2026-06-30 shelf A',
      '3 90002-1 1 used owned 0 2026-06-30',
      '4 left-out: it is not a set',
      '5 left-out: it is not a set',
    ])
  })

  test('our own: everything is said, nothing is asked, texts come back to the letter', () => {
    const made = plan(`collection,set_number,title,condition,status,quantity,purchase_price_usd,purchase_date,notes
      Stock,90001-1,Tidewater Lighthouse,used,listed,4,12.345,2024-02-29,'=1+1`)
    expect(made).toMatchObject({ format: 'own', open: [], pricesWithoutCurrency: false })
    expect(made.missing).toEqual({ condition: 0, price: 0, date: 0 })
    expect(made.lots).toEqual(['2 90001-1 4 used listed 1235 2024-02-29 =1+1 Stock'])
  })
})

describe('other headers', () => {
  test('columns are guessed by their names, and must be confirmed', () => {
    const { format, mapping } = detectFormat(['Item Number', 'What I paid', 'Qty', 'Bought on', 'Comment'])
    expect(format).toBe('other')
    expect(mapping).toEqual({ number: 0, quantity: 2, date: 3, notes: 4 })
    expect(canIdentifySets(mapping)).toBe(true)
    expect(canIdentifySets(detectFormat(['a', 'b']).mapping)).toBe(false)
  })

  test('a barcode or a title alone tells rows apart; a column is taken once', () => {
    expect(canIdentifySets({ barcode: 0 })).toBe(true)
    expect(canIdentifySets({ title: 0 })).toBe(true)
    expect(detectFormat(['Set', 'Price', 'Date']).mapping).toEqual({ number: 0, price: 1, date: 2 })
    expect(detectFormat(['item', 'item', 'name']).mapping).toEqual({ number: 0, title: 2 })
  })

  test('columns that a known format may lack are not looked for', () => {
    expect(detectFormat(['Number', 'Theme', 'SetName']).mapping).toEqual({ number: 0, title: 2 })
  })

  test('the texts of a column, also of lines that end early', () => {
    const table = tableOf('set no,date\n90001-1,2025-01-01\n90002-1')
    expect(columnValues(table, 1)).toEqual(['2025-01-01', ''])
    expect(columnValues(table, undefined)).toEqual([])
  })

  test('each format has a name to be shown', () => {
    expect(formatTitle('own')).toBe('Brickmark')
    expect(formatTitle('brickset')).toBe('Brickset')
    expect(formatTitle('other')).toBe('columns you chose')
  })
})

describe('which set a row means', () => {
  test('by number with or without variant, in any case; by barcode; by title', () => {
    const made = plan(`set no,ean,name
      90001,,
      gwp7,,
      ,0673419000017,
      ,5702019000013,
      ,,café at the corner`)
    expect(made.lots.map((lot) => lot.split(' ')[1])).toEqual(['90001-1', 'GWP7', '90001-1', '90001-1', '90002-1'])
  })

  test('several variants, twins, and a title under another number are chosen by the person, once for all rows', () => {
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
    expect(asked.lots[0]).toBe('2 choice: 90010 can be 90010-1, 90010-2')
    expect(asked.lots[4]).toContain('90010-2')
    const chosen = plan(text, { choices: { 90010: '90010-2', '99999-1': '90001-1', Twin: '90001-1' } })
    expect(chosen.lots.map((lot) => lot.split(' ')[1])).toEqual(['90010-2', '90010-2', '90001-1', 'choice:', '90010-2'])
  })

  test('what is unknown is left out with its reason', () => {
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
      '2 left-out: there is no set 77777-1',
      '3 left-out: no set has the barcode 5709999999999',
      '4 left-out: no set has the title No such title',
      '5 left-out: it names no set',
      '6 left-out: its quantity is 0',
      '7 left-out: the quantity many is not a whole number up to 1,000,000',
      '8 left-out: the date 32.13.2024 cannot be read',
      '9 left-out: the date 2999-01-01 is not in the past',
      '10 left-out: the price free cannot be read',
      '11 left-out: the price 1.234 can be read in two ways',
    ])
  })

  test('all that is looked up at once', () => {
    const table = tableOf('set no,ean,name\n90001-1,,\n90010,5702019000013,Twin')
    expect(collectLookupKeys(table, detectFormat(table.header).mapping)).toEqual({
      bases: ['90001', '90010'],
      barcodes: ['5702019000013'],
      titles: ['twin'],
    })
  })
})

test('amounts without a sign are in one currency, asked for once; signs say their own', () => {
  const text = 'set no,price\n90001-1,10.00\n90002-1,£20\n90020-1,$30'
  expect(plan(text).open).toEqual(['Say in which currency the prices are.', 'Say how many US dollars one GBP is.'])
  const answers = { currency: 'EUR', rates: { GBP: '1.25' } }
  expect(plan(text, answers).open).toEqual(['Say how many US dollars one EUR is.'])
  expect(plan(text, { ...answers, rates: { GBP: '1.25', EUR: '1.5' } }).lots).toEqual([
    '2 90001-1 1 sealed owned 1500 2026-06-30',
    '3 90002-1 1 sealed owned 2500 2026-06-30',
    '4 90020-1 1 sealed owned 3000 2026-06-30',
  ])
})

test('a row whose question is open waits for its answer, and says which', () => {
  const text = 'set no,price,date\n90001-1,10.00,2025-01-01\n90001-1,£20,2025-01-01\n90001-1,$1,03/04/2025'
  expect(plan(text).lots).toEqual([
    '2 choice: the currency of its price is not told yet',
    '3 choice: one GBP in dollars is not told yet',
    '4 choice: the date 03/04/2025 can be read in two ways',
  ])
})

test('currencies are asked for in one order, whatever the rows', () => {
  expect(plan('set no,price\n90001-1,£1\n90001-1,€1\n90001-1,C$1').currencies).toEqual(['CAD', 'EUR', 'GBP'])
})

test('a price may be as high as a lot can have, and no higher', () => {
  expect(plan('set no,price\n90001-1,$99999999.99\n90001-1,$100000000.00').lots).toEqual([
    '2 90001-1 1 sealed owned 9999999999 2026-06-30',
    '3 left-out: its price is too high',
  ])
})

describe('what is typed for rows that do not say', () => {
  const text = 'set no,price,date\n90001-1,,\n90002-1,$5,2025-01-01'
  const said = '3 90002-1 1 sealed owned 500 2025-01-01'
  const PRICE = 'What one cost must be an amount of dollars like 12.50; 0 for a gift.'
  const DATE = 'The date must be a day up to today, like 2025-03-31.'

  test.each([
    ['$20', 2000],
    ['12,50', 1250],
    [' 1,234.50 USD ', 123450],
    ['0', 0],
    ['99999999.99', 9999999999],
  ])('a price of %s is the amount it is', (price, cents) => {
    const made = plan(text, { price })
    expect(made.lots).toEqual([`2 90001-1 1 sealed owned ${cents} 2026-06-30`, said])
    expect(made).toMatchObject({ open: [], invalidDefaults: { price: undefined, date: undefined } })
  })

  test.each(['twenty', '1.234', '€20', '-5', '100000000'])(
    'a price of %s is refused, and never taken for 0',
    (price) => {
      const made = plan(text, { price })
      expect(made.lots).toEqual(['2 choice: what one cost is not told yet', said])
      expect(made).toMatchObject({ open: [PRICE], invalidDefaults: { price: PRICE, date: undefined } })
    },
  )

  test.each(['yesterday', '2026-07-01', '2026-02-30', '01/02/2026'])(
    'a day of %s is refused, and never taken for today',
    (date) => {
      const made = plan(text, { date })
      expect(made.lots).toEqual(['2 choice: its day is not told yet', said])
      expect(made).toMatchObject({ open: [DATE], invalidDefaults: { price: undefined, date: DATE } })
    },
  )

  test('where every row says its own, nothing is asked of them', () => {
    const made = plan('set no,price,date\n90002-1,$5,2025-01-01', { price: 'twenty', date: 'yesterday' })
    expect(made).toMatchObject({ open: [], invalidDefaults: { price: undefined, date: undefined } })
  })
})

describe('a rate', () => {
  test.each([
    ['1.1', 1.1],
    [' 0.000001 ', 0.000001],
    ['1234', 1234],
  ])('%s', (text, rate) => {
    expect(parseExchangeRate(text)).toBe(rate)
  })

  test.each([undefined, '', '0', '0.0', '-1', '12345', '1.1234567', '1e2', 'x1', '1x', '0x1'])('%s is none', (text) => {
    expect(parseExchangeRate(text)).toBeUndefined()
  })
})

test('a date that is sure tells how the others are meant', () => {
  expect(plan('set no,date\n90001-1,03/04/2025\n90001-1,25/04/2025').lots).toEqual([
    '2 90001-1 1 sealed owned 0 2025-04-03',
    '3 90001-1 1 sealed owned 0 2025-04-25',
  ])
  const mixed = plan('set no,date\n90001-1,03/04/2025\n90001-1,25/04/2025\n90001-1,04/25/2025')
  expect(mixed.ambiguousDate).toEqual({ row: 2, text: '03/04/2025' })
})
