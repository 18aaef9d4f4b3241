import { describe, expect, test } from 'vitest'
import { readEbayReport, withoutBuyers, type FileRow } from './ebay-report.ts'

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
const report = (...lines: Partial<Record<string, string>>[]): FileRow[] =>
  [['Order earnings report'], [], ['Seller', 'robin'], HEADER, ...lines.map(line)]
    .map((cells, place) => ({ row: place + 1, cells }))
    .filter(({ cells }) => cells.length > 0)

test('an order of one item, below the lines that say what the report is', () => {
  expect(readEbayReport(report(item))).toEqual([
    {
      row: 5,
      order: '11-22222-33333',
      line: '445566',
      title: 'Set 90001 Tidewater Lighthouse, new',
      label: '',
      date: '2026-03-05',
      quantity: 1,
      gross: 12_499,
      fees: 1696,
      shipping: 810,
    },
  ])
})

test('what was earned is what the report says, whatever columns it has not shown', () => {
  const [sale] = readEbayReport(report({ ...item, 'Order earnings': '$90.00' })) as { gross: number; fees: number }[]
  expect(sale).toMatchObject({ gross: 12_499, fees: 12_499 - 810 - 9000 })
})

test('without earnings the fees are added up, without a gross amount the items', () => {
  const { 'Order earnings': _, 'Gross amount': __, ...bare } = item
  expect(readEbayReport(report({ ...bare, 'International fee': '-1.00' }))).toMatchObject([
    { gross: 12_499, fees: 1796, shipping: 810 },
  ])
})

test('a part that was given back comes off what the buyer paid', () => {
  const refunded = { ...item, Refunds: '-$20.00', 'Order earnings': '$79.93' }
  expect(readEbayReport(report(refunded))).toMatchObject([{ gross: 10_499, fees: 1696, shipping: 810 }])
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
  const lines = readEbayReport(report(whole, part, { ...part, 'Item title': 'Set 90002', 'Item subtotal': '60.00' }))
  expect(lines).toMatchObject([
    { line: 'Set 90001', date: '2026-03-05', gross: 3334, shipping: 333 },
    { line: 'Set 90002', date: '2026-03-05', gross: 6667, shipping: 666 },
  ])
  const net = (lines as { gross: number; fees: number; shipping: number }[]).map(
    (one) => one.gross - one.fees - one.shipping,
  )
  expect(net[0]! + net[1]!).toBe(7777)
})

test('lines of one order with the same item are told apart', () => {
  expect(readEbayReport(report(item, item))).toMatchObject([{ line: '445566' }, { line: '445566 (2)' }])
})

describe('left out, with a reason', () => {
  test.each([
    ['refunded whole', { ...item, Refunds: '-124.99' }, 'refunded whole'],
    ['another currency', { ...item, 'Gross amount': '£124.99' }, 'the amount £124.99 cannot be read'],
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
    expect(readEbayReport(report(cells))).toMatchObject([{ problem: expect.stringContaining(reason) as string }])
  })
})

test('any other table is none', () => {
  expect(readEbayReport([{ row: 1, cells: ['Number', 'Paid'] }])).toContain('not an order earnings report')
})

test('names and addresses of buyers are dropped; rows keep their numbers and say the same', () => {
  const rows = report(item)
  const kept = withoutBuyers(rows)!
  expect(JSON.stringify(kept)).not.toMatch(/Jo Invented|Nowhere|robin/)
  const again = kept
    .map((cells, place) => ({ row: place + 1, cells }))
    .filter(({ cells }) => cells.some((c) => c !== ''))
  expect(readEbayReport(again)).toEqual(readEbayReport(rows))
})
