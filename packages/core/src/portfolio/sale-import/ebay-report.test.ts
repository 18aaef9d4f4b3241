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
/** Returns a report with one more column, with a row per cell. */
const withColumn = (name: string, ...cells: string[]): FileRow[] =>
  numbered([[...HEADER, name], ...cells.map((cell) => [...line(item), cell])])

test('parses an order of one item below the introductory lines', () => {
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

test('derives the fees from the earnings in the report, including fees without a column', () => {
  const [sale] = parseEbayReport(report({ ...item, 'Order earnings': '$90.00' })) as { gross: number; fees: number }[]
  expect(sale).toMatchObject({ gross: 12_499, fees: 12_499 - 810 - 9000 })
})

test('sums fees without an earnings column, and items without a gross amount', () => {
  const { 'Order earnings': _, 'Gross amount': __, ...bare } = item
  expect(parseEbayReport(report({ ...bare, 'International fee': '-1.00' }))).toMatchObject([
    { gross: 12_499, fees: 1796, shipping: 810 },
  ])
})

test('does not add a total fees column to the fees', () => {
  const { 'Order earnings': _, ...bare } = item
  const rows = numbered([
    [...HEADER, 'Total fees', 'Feedback left'],
    [...line(bare), '-$16.96', '7'],
  ])
  expect(parseEbayReport(rows)).toMatchObject([{ fees: 1696 }])
})

test('ignores a line above the table that contains a column name', () => {
  const rows = numbered([['Order number', 'of this report', '77'], HEADER, line(item)])
  expect(parseEbayReport(rows)).toMatchObject([{ row: 3, order: '11-22222-33333' }])
})

test('ignores lines without an order number', () => {
  expect(parseEbayReport(report(item, { 'Item title': 'Total', 'Gross amount': '$124.99' }))).toHaveLength(1)
})

test('trims texts and reads the custom label', () => {
  const rows = report({ ...item, 'Item title': ' Set 90001 ', 'Custom label': ' 90001-1', 'Order number': ' 7 ' })
  expect(parseEbayReport(rows)).toMatchObject([{ order: '7', title: 'Set 90001', sku: '90001-1' }])
})

test('parses numeric dates month first', () => {
  expect(parseEbayReport(report({ ...item, 'Order creation date': '03/05/2026' }))).toMatchObject([
    { date: '2026-03-05' },
  ])
})

test.each(['-$3.00', '$-3.00', '-3', '(3.00)', '($3.00)'])('parses %s as a loss of three dollars', (earnings) => {
  expect(parseEbayReport(report({ ...item, 'Order earnings': earnings }))).toMatchObject([
    { gross: 12_499, fees: 12_499 - 810 + 300 },
  ])
})

test('accepts thousands separators and rounds fractions of a cent', () => {
  const rows = report({ ...item, 'Gross amount': '$1,124.99', 'Order earnings': '$1,099.934' })
  expect(parseEbayReport(rows)).toMatchObject([{ gross: 112_499, fees: 112_499 - 810 - 109_993 }])
})

test('accepts a sale without fees and the maximum amount', () => {
  expect(parseEbayReport(report({ ...item, 'Order earnings': '$116.89' }))).toMatchObject([{ fees: 0 }])
  const maximum = { ...item, 'Gross amount': '$9999999.99', 'Order earnings': '$9999991.89' }
  expect(parseEbayReport(report(maximum))).toMatchObject([{ gross: 999_999_999, fees: 0 }])
})

test('subtracts a partial refund from the gross', () => {
  const refunded = { ...item, Refunds: '-$20.00', 'Order earnings': '$79.93' }
  expect(parseEbayReport(report(refunded))).toMatchObject([{ gross: 10_499, fees: 1696, shipping: 810 }])
})

test('splits the totals of an order by item price, to the cent', () => {
  const summary = {
    'Order creation date': '2026-03-05',
    'Order number': '1-2-3',
    'Gross amount': '100.01',
    'Shipping labels': '-9.99',
    'Order earnings': '77.77',
  }
  const part = { 'Order number': '1-2-3', 'Item title': 'Set 90001', Quantity: '1', 'Item subtotal': '30.00' }
  const lines = parseEbayReport(report(summary, part, { ...part, 'Item title': 'Set 90002', 'Item subtotal': '60.00' }))
  expect(lines).toMatchObject([
    { line: 'Set 90001', date: '2026-03-05', gross: 3334, shipping: 333 },
    { line: 'Set 90002', date: '2026-03-05', gross: 6667, shipping: 666 },
  ])
  const net = (lines as { gross: number; fees: number; shipping: number }[]).map(
    (sale) => sale.gross - sale.fees - sale.shipping,
  )
  expect(net[0]! + net[1]!).toBe(7777)
})

test('splits fees that only the summary row has', () => {
  const summary = { 'Order number': '1-2-3', 'Order creation date': '2026-03-05', 'International fee': '-3.00' }
  const part = { 'Order number': '1-2-3', 'Item title': 'Set 90001', Quantity: '1', 'Item subtotal': '20.00' }
  expect(parseEbayReport(report(summary, part, { ...part, 'Item subtotal': '10.00' }))).toMatchObject([
    { gross: 2000, fees: 200 },
    { gross: 1000, fees: 100 },
  ])
})

test('does not split a total if an item has its own amount', () => {
  const summary = { 'Order number': '1-2-3', 'Order creation date': '2026-03-05', 'Gross amount': '100.00' }
  const part = { 'Order number': '1-2-3', 'Item title': 'Set 90001', Quantity: '1', 'Item subtotal': '30.00' }
  expect(parseEbayReport(report(summary, { ...part, 'Gross amount': '40.00' }, part))).toMatchObject([
    { gross: 4000 },
    { gross: 3000 },
  ])
})

test('numbers lines of one order with the same item', () => {
  expect(parseEbayReport(report(item, item))).toMatchObject([{ line: '445566' }, { line: '445566 (2)' }])
})

test('keeps lines in report order even if orders are interleaved', () => {
  expect(parseEbayReport(report(item, { ...item, 'Order number': '2' }, item))).toMatchObject([
    { row: 5, line: '445566' },
    { row: 6, line: '445566', order: '2' },
    { row: 7, line: '445566 (2)' },
  ])
})

describe('problems', () => {
  test.each([
    ['a full refund', { ...item, Refunds: '-124.99' }, 'Fully refunded'],
    ['an amount in another currency', { ...item, 'Gross amount': '£124.99' }, 'Invalid amount: £124.99'],
    ['an amount that is not a number', { ...item, 'Gross amount': 'n/a' }, 'Invalid amount: n/a'],
    ['a negative amount in another currency', { ...item, 'Order earnings': '£-3.00' }, 'Invalid amount: £-3.00'],
    ['two amounts in a cell', { ...item, 'Gross amount': '12-4.99' }, 'Invalid amount: 12-4.99'],
    ['an invalid date', { ...item, 'Order creation date': 'soon' }, 'Invalid date'],
    ['no quantity', { ...item, Quantity: '--' }, 'Invalid quantity'],
    [
      'no amounts',
      { 'Order number': '1', 'Item title': 'x', Quantity: '1', 'Order creation date': '2026-01-01' },
      'No amount',
    ],
    ['no item', { ...item, 'Item title': '--' }, 'No item in this order'],
    ['an amount above the maximum', { ...item, 'Gross amount': '$100000000.00' }, 'too high'],
    ['earnings above the amount paid', { ...item, 'Order earnings': '$130.00' }, 'Earnings are higher'],
  ])('%s', (_, cells, reason) => {
    expect(parseEbayReport(report(cells))).toMatchObject([{ problem: expect.stringContaining(reason) as string }])
  })

  test('an order without an item has an empty line', () => {
    expect(parseEbayReport(report({ ...item, 'Item title': '--' }))).toMatchObject([{ row: 5, line: '', title: '' }])
  })

  test('rejects another currency of the line or, if it has none, of the summary row', () => {
    expect(parseEbayReport(withColumn('Transaction currency', 'EUR', 'USD', ''))).toMatchObject([
      { problem: 'Only USD is supported, not EUR' },
      { gross: 12_499 },
      { gross: 12_499 },
    ])
    const names = [...HEADER, 'Currency']
    const summary = [...line({ 'Order number': '1', 'Order creation date': '2026-03-05', 'Gross amount': '9' }), 'CAD']
    const part = [...line({ 'Order number': '1', 'Item title': 'Set 90001', Quantity: '1' }), '']
    expect(parseEbayReport(numbered([names, summary, part]))).toMatchObject([
      { problem: expect.stringContaining('CAD') },
    ])
    const own = [...part.slice(0, -1), 'USD']
    expect(parseEbayReport(numbered([names, summary, own]))).toMatchObject([{ gross: 900 }])
  })

  test('reports a problem only for the lines that cannot be parsed', () => {
    const second = { ...item, 'Order creation date': '--' }
    expect(parseEbayReport(report({ ...item, 'Gross amount': 'n/a' }, item, second))).toMatchObject([
      { problem: 'Invalid amount: n/a' },
      { gross: 12_499 },
      { problem: 'Invalid date' },
    ])
  })
})

test('rejects other tables', () => {
  expect(parseEbayReport([{ row: 1, cells: ['Number', 'Paid'] }])).toContain('isn’t an eBay order earnings report')
})

test('stripBuyerColumns drops buyers’ names and addresses and keeps row numbers and results', () => {
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

test('stripBuyerColumns pads short rows and returns undefined for other tables', () => {
  const kept = stripBuyerColumns(numbered([HEADER, ['Mar 5, 2026', '7']]))!
  expect(kept[1]).toEqual(['Mar 5, 2026', '7', ...Array.from({ length: kept[0]!.length - 2 }, () => '')])
  expect(stripBuyerColumns([{ row: 1, cells: ['Number', 'Paid'] }])).toBeUndefined()
})
