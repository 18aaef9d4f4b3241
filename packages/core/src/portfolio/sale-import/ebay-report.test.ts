import { describe, expect, test } from 'vitest'
import { parseEbayReport, stripBuyerColumns, type FileRow } from './ebay-report.ts'

const HEADER = [
  'Order creation date',
  'Order number',
  'Buyer name',
  'Ship to city',
  'Item ID',
  'Item title',
  'Custom label',
  'Item price',
  'Quantity',
  'Item subtotal',
  'Shipping and handling',
  'Discount',
  'Gross amount',
  'Final Value Fee - fixed',
  'Final Value Fee - variable',
  'International fee',
  'Shipping labels',
  'Refunds',
  'Order earnings',
]
const line = (cells: Partial<Record<string, string>>) => HEADER.map((name) => cells[name] ?? '--')
const item = {
  'Order creation date': 'Mar 5, 2026',
  'Order number': '11-22222-33333',
  'Buyer name': 'Jo Invented',
  'Ship to city': 'Nowhere',
  'Item ID': '445566',
  'Item title': 'Set 90001 Tidewater Lighthouse, new',
  'Item price': '$120.00',
  Quantity: '1',
  'Item subtotal': '$120.00',
  'Shipping and handling': '$9.99',
  Discount: '-$5.00',
  'Gross amount': '$124.99',
  'Final Value Fee - fixed': '-$0.40',
  'Final Value Fee - variable': '-$16.56',
  'Shipping labels': '-$8.10',
  'Order earnings': '$99.93',
}
const numbered = (lines: string[][]): FileRow[] =>
  lines.map((cells, index) => ({ row: index + 1, cells })).filter(({ cells }) => cells.length > 0)
const report = (...lines: Partial<Record<string, string>>[]): FileRow[] =>
  numbered([['Order earnings report'], [], ['Seller', 'robin'], HEADER, ...lines.map(line)])
/** The report of one item with a column more. */
const withColumn = (name: string, ...cells: string[]): FileRow[] =>
  numbered([[...HEADER, name], ...cells.map((cell) => [...line(item), cell])])

test('an order of one item, below the lines that say what the report is', () => {
  expect(parseEbayReport(report(item))).toEqual([
    {
      row: 5,
      order: '11-22222-33333',
      line: '445566',
      title: 'Set 90001 Tidewater Lighthouse, new',
      sku: '',
      date: '2026-03-05',
      quantity: 1,
      gross: 12_499,
      fees: 1696,
      shipping: 810,
    },
  ])
})

test('what was earned is what the report says, whatever columns it has not shown', () => {
  const [sale] = parseEbayReport(report({ ...item, 'Order earnings': '$90.00' })) as { gross: number; fees: number }[]
  expect(sale).toMatchObject({ gross: 12_499, fees: 12_499 - 810 - 9000 })
})

test('without earnings the fees are added up, without a gross amount the items', () => {
  const { 'Order earnings': _, 'Gross amount': __, ...bare } = item
  expect(parseEbayReport(report({ ...bare, 'International fee': '-1.00' }))).toMatchObject([
    { gross: 12_499, fees: 1796, shipping: 810 },
  ])
})

test('a column with the total of all fees is not added to them', () => {
  const { 'Order earnings': _, ...bare } = item
  const rows = numbered([
    [...HEADER, 'Total fees', 'Feedback left'],
    [...line(bare), '-$16.96', '7'],
  ])
  expect(parseEbayReport(rows)).toMatchObject([{ fees: 1696 }])
})

test('a line above the table may have the name of one of its columns', () => {
  const rows = numbered([['Order number', 'of this report', '77'], HEADER, line(item)])
  expect(parseEbayReport(rows)).toMatchObject([{ row: 3, order: '11-22222-33333' }])
})

test('lines without an order number are none', () => {
  expect(parseEbayReport(report(item, { 'Item title': 'Total', 'Gross amount': '$124.99' }))).toHaveLength(1)
})

test('texts are taken without the spaces around them, and with the mark of the seller', () => {
  const rows = report({ ...item, 'Item title': ' Set 90001 ', 'Custom label': ' 90001-1', 'Order number': ' 7 ' })
  expect(parseEbayReport(rows)).toMatchObject([{ order: '7', title: 'Set 90001', sku: '90001-1' }])
})

test('a date with figures only has the month first', () => {
  expect(parseEbayReport(report({ ...item, 'Order creation date': '03/05/2026' }))).toMatchObject([
    { date: '2026-03-05' },
  ])
})

test.each(['-$3.00', '$-3.00', '-3', '(3.00)', '($3.00)'])('%s is three dollars lost', (earnings) => {
  expect(parseEbayReport(report({ ...item, 'Order earnings': earnings }))).toMatchObject([
    { gross: 12_499, fees: 12_499 - 810 + 300 },
  ])
})

test('thousands may have a comma; a fraction of a cent is rounded', () => {
  const rows = report({ ...item, 'Gross amount': '$1,124.99', 'Order earnings': '$1,099.934' })
  expect(parseEbayReport(rows)).toMatchObject([{ gross: 112_499, fees: 112_499 - 810 - 109_993 }])
})

test('a sale without fees, and the dearest there can be', () => {
  expect(parseEbayReport(report({ ...item, 'Order earnings': '$116.89' }))).toMatchObject([{ fees: 0 }])
  const dearest = { ...item, 'Gross amount': '$99999999.99', 'Order earnings': '$99999991.89' }
  expect(parseEbayReport(report(dearest))).toMatchObject([{ gross: 9_999_999_999, fees: 0 }])
})

test('a part that was given back comes off what the buyer paid', () => {
  const refunded = { ...item, Refunds: '-$20.00', 'Order earnings': '$79.93' }
  expect(parseEbayReport(report(refunded))).toMatchObject([{ gross: 10_499, fees: 1696, shipping: 810 }])
})

test('an order of several items: its totals are shared out by price, to the cent', () => {
  const whole = {
    'Order creation date': '2026-03-05',
    'Order number': '1-2-3',
    'Gross amount': '100.01',
    'Shipping labels': '-9.99',
    'Order earnings': '77.77',
  }
  const part = { 'Order number': '1-2-3', 'Item title': 'Set 90001', Quantity: '1', 'Item subtotal': '30.00' }
  const lines = parseEbayReport(report(whole, part, { ...part, 'Item title': 'Set 90002', 'Item subtotal': '60.00' }))
  expect(lines).toMatchObject([
    { line: 'Set 90001', date: '2026-03-05', gross: 3334, shipping: 333 },
    { line: 'Set 90002', date: '2026-03-05', gross: 6667, shipping: 666 },
  ])
  const net = (lines as { gross: number; fees: number; shipping: number }[]).map(
    (one) => one.gross - one.fees - one.shipping,
  )
  expect(net[0]! + net[1]!).toBe(7777)
})

test('fees that only the whole order says are shared out as well', () => {
  const whole = { 'Order number': '1-2-3', 'Order creation date': '2026-03-05', 'International fee': '-3.00' }
  const part = { 'Order number': '1-2-3', 'Item title': 'Set 90001', Quantity: '1', 'Item subtotal': '20.00' }
  expect(parseEbayReport(report(whole, part, { ...part, 'Item subtotal': '10.00' }))).toMatchObject([
    { gross: 2000, fees: 200 },
    { gross: 1000, fees: 100 },
  ])
})

test('a total is not shared out when an item says its own', () => {
  const whole = { 'Order number': '1-2-3', 'Order creation date': '2026-03-05', 'Gross amount': '100.00' }
  const part = { 'Order number': '1-2-3', 'Item title': 'Set 90001', Quantity: '1', 'Item subtotal': '30.00' }
  expect(parseEbayReport(report(whole, { ...part, 'Gross amount': '40.00' }, part))).toMatchObject([
    { gross: 4000 },
    { gross: 3000 },
  ])
})

test('lines of one order with the same item are told apart', () => {
  expect(parseEbayReport(report(item, item))).toMatchObject([{ line: '445566' }, { line: '445566 (2)' }])
})

test('lines stay in the order of the report, also when orders are mixed', () => {
  expect(parseEbayReport(report(item, { ...item, 'Order number': '2' }, item))).toMatchObject([
    { row: 5, line: '445566' },
    { row: 6, line: '445566', order: '2' },
    { row: 7, line: '445566 (2)' },
  ])
})

describe('left out, with a reason', () => {
  test.each([
    ['refunded whole', { ...item, Refunds: '-124.99' }, 'refunded whole'],
    ['another currency', { ...item, 'Gross amount': '£124.99' }, 'the amount £124.99 cannot be read'],
    ['no amount at all', { ...item, 'Gross amount': 'n/a' }, 'the amount n/a cannot be read'],
    ['another currency lost', { ...item, 'Order earnings': '£-3.00' }, 'the amount £-3.00 cannot be read'],
    ['two amounts', { ...item, 'Gross amount': '12-4.99' }, 'the amount 12-4.99 cannot be read'],
    ['no date', { ...item, 'Order creation date': 'soon' }, 'date cannot be read'],
    ['no quantity', { ...item, Quantity: '--' }, 'not a whole number'],
    [
      'no amount',
      { 'Order number': '1', 'Item title': 'x', Quantity: '1', 'Order creation date': '2026-01-01' },
      'no amount',
    ],
    ['no item', { ...item, 'Item title': '--' }, 'names no item'],
    ['more than a sale can be', { ...item, 'Gross amount': '$100000000.00' }, 'too high'],
    ['more than was paid', { ...item, 'Order earnings': '$130.00' }, 'earned more'],
  ])('%s', (_, cells, reason) => {
    expect(parseEbayReport(report(cells))).toMatchObject([{ problem: expect.stringContaining(reason) as string }])
  })

  test('what names no item has no line of its own', () => {
    expect(parseEbayReport(report({ ...item, 'Item title': '--' }))).toMatchObject([{ row: 5, line: '', title: '' }])
  })

  test('another currency, of the line or of the whole order', () => {
    expect(parseEbayReport(withColumn('Transaction currency', 'EUR', 'USD', ''))).toMatchObject([
      { problem: 'it is in EUR: only US dollars are taken' },
      { gross: 12_499 },
      { gross: 12_499 },
    ])
    const names = [...HEADER, 'Currency']
    const whole = [...line({ 'Order number': '1', 'Order creation date': '2026-03-05', 'Gross amount': '9' }), 'CAD']
    const part = [...line({ 'Order number': '1', 'Item title': 'Set 90001', Quantity: '1' }), '']
    expect(parseEbayReport(numbered([names, whole, part]))).toMatchObject([{ problem: expect.stringContaining('CAD') }])
    const own = [...part.slice(0, -1), 'USD']
    expect(parseEbayReport(numbered([names, whole, own]))).toMatchObject([{ gross: 900 }])
  })

  test('only the line that cannot be read', () => {
    const second = { ...item, 'Order creation date': '--' }
    expect(parseEbayReport(report({ ...item, 'Gross amount': 'n/a' }, item, second))).toMatchObject([
      { problem: 'the amount n/a cannot be read' },
      { gross: 12_499 },
      { problem: 'its date cannot be read' },
    ])
  })
})

test('any other table is none', () => {
  expect(parseEbayReport([{ row: 1, cells: ['Number', 'Paid'] }])).toContain('not an order earnings report')
})

test('names and addresses of buyers are dropped; rows keep their numbers and say the same', () => {
  const rows = report(item)
  const kept = stripBuyerColumns(rows)!
  expect(JSON.stringify(kept)).not.toMatch(/Jo Invented|Nowhere|robin/)
  const again = kept
    .map((cells, index) => ({ row: index + 1, cells }))
    .filter(({ cells }) => cells.some((c) => c !== ''))
  expect(parseEbayReport(again)).toEqual(parseEbayReport(rows))
  const columns = HEADER.map((_, index) => index).filter((index) => ![2, 3, 7].includes(index))
  const pick = (cells: string[]) => columns.map((index) => cells[index])
  expect(kept).toEqual([['--'], ['--'], ['--'], pick(HEADER), pick(line(item))])
})

test('a line that ends early is filled up, and any other table has nothing to keep', () => {
  const kept = stripBuyerColumns(numbered([HEADER, ['Mar 5, 2026', '7']]))!
  expect(kept[1]).toEqual(['Mar 5, 2026', '7', ...Array.from({ length: kept[0]!.length - 2 }, () => '')])
  expect(stripBuyerColumns([{ row: 1, cells: ['Number', 'Paid'] }])).toBeUndefined()
})
