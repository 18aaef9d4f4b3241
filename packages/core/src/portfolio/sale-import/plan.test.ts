import { describe, expect, test } from 'vitest'
import type { OrderLine } from './ebay-report.ts'
import { collectBaseNumbers, planSaleImport, type SaleImportOptions } from './plan.ts'

const sets = ['90001-1', '90002-1', '90010-1', '90010-2'].map((set_number) => ({
  set_number,
  title: `Title of ${set_number}`,
  upc: null,
  ean: null,
  msrp_cents: null,
  release_date: null,
}))
const line = (change: Partial<OrderLine & { date: string; quantity: number }> = {}): OrderLine => ({
  row: 2,
  order: '1-2-3',
  line: 'a',
  title: 'Set 90001 sealed',
  sku: '',
  date: '2026-03-05',
  quantity: 1,
  gross: 10_000,
  fees: 1365,
  shipping: 900,
  ...change,
})
const lots = [
  { id: 1, item: '90001-1', condition: 'sealed' as const, quantity: 1, price: 4000, date: '2025-01-01' },
  { id: 2, item: '90001-1', condition: 'sealed' as const, quantity: 1, price: 5000, date: '2025-06-01' },
]
const plan = (
  lines: OrderLine[],
  { from = 'sealed', chosen = [] }: { from?: SaleImportOptions['from']; chosen?: [number, string][] } = {},
  imported: string[] = [],
) =>
  planSaleImport(
    lines,
    { from, sets: new Map(chosen) },
    sets,
    lots,
    (order, name) => imported.includes(`${order} ${name}`),
    '2026-06-30',
  )

describe('set matching', () => {
  test.each([
    ['finds a number in the title', line({ title: 'NEW set 90001: Lighthouse (2019)' }), '90001-1'],
    ['finds a number with its variant', line({ title: 'set 90010-2' }), '90010-2'],
    ['prefers the custom label over the title', line({ sku: '90002', title: 'set 90001' }), '90002-1'],
    [
      'falls back to the title if the custom label is not a number',
      line({ sku: 'shelf 4', title: 'set 90001' }),
      '90001-1',
    ],
  ])('%s', (_, orderLine, setNumber) => {
    expect(plan([orderLine])).toMatchObject([{ state: 'ready', sale: { item: setNumber } }])
  })

  test.each([
    ['no number', line({ title: 'Lighthouse' }), 'No known set number in the title'],
    ['two numbers', line({ title: '90001 and 90002' }), 'Could be 90001-1, 90002-1'],
    ['several variants', line({ title: 'figure 90010' }), 'Could be 90010-1, 90010-2'],
    ['the same number repeated', line({ title: '90010 '.repeat(100_000) }), 'Could be 90010-1, 90010-2'],
    [
      'a number, and another with several variants',
      line({ title: '90001, 90010' }),
      'Could be 90001-1, 90010-1, 90010-2',
    ],
    ['only a price', line({ title: 'worth $90001' }), 'No known set number in the title'],
  ])('asks for the set if the title has %s', (_, orderLine, reason) => {
    expect(plan([orderLine])).toMatchObject([{ state: 'choice', reason }])
    expect(plan([orderLine], { chosen: [[2, '90010-1']] })).toMatchObject([
      { state: 'ready', sale: { item: '90010-1' } },
    ])
    expect(plan([orderLine], { chosen: [[2, '90010']] })).toMatchObject([
      { state: 'choice', reason: '90010 matches several sets: 90010-1, 90010-2' },
    ])
    expect(plan([orderLine], { chosen: [[2, '77777']] })).toMatchObject([
      { state: 'choice', reason: 'Set 77777 not found' },
    ])
  })

  test('collects base numbers from options, custom labels and titles', () => {
    const importOptions: SaleImportOptions = { from: 'sealed', sets: new Map([[2, '555-2']]) }
    expect(collectBaseNumbers([line({ sku: 'AB-1', title: '90001-1 or 90002' })], importOptions)).toEqual([
      '555',
      'ab',
      '90001',
      '90002',
    ])
  })

  test.each([
    ['set 90001. New, 2 of them', ['90001']],
    ['90001 2 90001', ['90001']],
    ['90001-12', ['90001']],
    ['1234.5 or 12,345 or 1234-567 or 12345678 or 12', []],
    ['', []],
  ])('finds the set numbers in the title %j', (title, bases) => {
    expect(collectBaseNumbers([line({ title })], { from: 'sealed', sets: new Map() })).toEqual(bases)
  })
})

describe('units and cost', () => {
  test('allocates units in order of sale date, each unit once', () => {
    const later = line({ row: 2, line: 'a', date: '2026-03-05' })
    const sooner = line({ row: 3, line: 'b', date: '2026-02-01' })
    const third = line({ row: 4, line: 'c', date: '2026-04-01' })
    expect(plan([later, sooner, third])).toMatchObject([
      { row: 2, sale: { cost: 5000, allocations: [{ lotId: 2, quantity: 1 }], unknownCost: undefined } },
      { row: 3, sale: { cost: 4000, allocations: [{ lotId: 1, quantity: 1 }] } },
      {
        row: 4,
        sale: { cost: null, allocations: [], unknownCost: 'No sealed units available, but you’re selling 1.' },
      },
    ])
    expect(lots.map(({ quantity }) => quantity)).toEqual([1, 1])
  })

  test('allocates by row within a day and ignores lots of other sets', () => {
    expect(
      plan([line({ row: 9, line: 'b' }), line({ row: 3, line: 'c' }), line({ title: 'set 90002' })]),
    ).toMatchObject([
      { row: 9, sale: { cost: 5000, platform: 'ebay', order: { number: '1-2-3', line: 'b' } } },
      { row: 3, sale: { cost: 4000, order: { number: '1-2-3', line: 'c' } } },
      { sale: { item: '90002-1', allocations: [], cost: null } },
    ])
  })

  test('never allocates only part of the units', () => {
    expect(plan([line({ quantity: 3 }), line({ row: 3, line: 'b' })])).toMatchObject([
      { sale: { cost: null, allocations: [] } },
      { sale: { cost: 4000 } },
    ])
  })

  test('leaves the cost unknown without a lot', () => {
    expect(plan([line()], { from: 'none' })).toMatchObject([
      { sale: { cost: null, allocations: [], unknownCost: undefined } },
    ])
  })
})

test('lines imported before take no units', () => {
  expect(plan([line(), line({ row: 3, line: 'b' })], {}, ['1-2-3 a'])).toMatchObject([
    { state: 'known', reason: 'Already imported' },
    { state: 'ready', sale: { cost: 4000 } },
  ])
})

test.each([
  ['a row that cannot be parsed', { ...line(), problem: 'No amount' }, 'No amount'],
  ['a date in the future', line({ date: '2026-07-01' }), 'Date is in the future'],
])('skips %s', (_, orderLine, reason) => {
  expect(plan([orderLine])).toMatchObject([{ state: 'skipped', reason }])
})
