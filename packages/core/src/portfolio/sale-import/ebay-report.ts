import { unescapeFormula } from '../../primitives/csv.ts'
import { normalizeHeader } from '../lot-import/format.ts'
import { parseAmount, parseDate } from '../lot-import/parse-values.ts'
import { MAX_PRICE, parseQuantity } from '../lot.ts'
import { splitProportionally } from '../../primitives/money.ts'

/** A row of a file. `row` is the row number a spreadsheet shows. */
export type FileRow = { row: number; cells: string[] }

/** An item of an order, in cents, or the reason it can't be imported as a sale. */
export type OrderLine = {
  row: number
  order: string
  /** Identifies the line within its order; the same in every report. */
  line: string
  title: string
  /** The seller's custom label. */
  sku: string
} & ({ problem: string } | { date: string; quantity: number; gross: number; fees: number; shipping: number })

/** The columns to read, by normalized name. All others are dropped, in particular the buyers' names and addresses. */
const COLUMNS = {
  order: ['ordernumber'],
  date: ['ordercreationdate'],
  itemId: ['itemid', 'itemnumber'],
  title: ['itemtitle'],
  sku: ['customlabel', 'customlabelsku', 'sku'],
  quantity: ['quantity'],
  subtotal: ['itemsubtotal'],
  postage: ['shippingandhandling'],
  discount: ['discount'],
  gross: ['grossamount'],
  labels: ['shippinglabels', 'shippinglabel'],
  refunds: ['refunds', 'refund'],
  earnings: ['orderearnings'],
  currency: ['transactioncurrency', 'currency'],
} satisfies Record<string, string[]>

type Column = keyof typeof COLUMNS

const REQUIRED_COLUMNS: Column[] = ['order', 'date', 'title', 'quantity']
const AMOUNT_COLUMNS = ['subtotal', 'postage', 'discount', 'gross', 'labels', 'refunds', 'earnings'] as const

type AmountColumn = (typeof AMOUNT_COLUMNS)[number] | 'fees'

type ColumnIndexes = Record<Column, number> & { fees: number[]; header: number }

/** Finds the header row and its column indexes. The report starts with introductory lines above the table. */
function findColumns(rows: FileRow[]): ColumnIndexes | undefined {
  for (const [header, { cells }] of rows.entries()) {
    const names = cells.map(normalizeHeader)
    const found = Object.entries(COLUMNS).map(([column, known]) => [
      column,
      names.findIndex((name) => known.includes(name)),
    ])
    const indexes = Object.fromEntries(found) as Record<Column, number>
    const fees = names.flatMap((name, index) => (/^(?!total).*fee(?!d)/.test(name) ? [index] : []))
    if (REQUIRED_COLUMNS.every((column) => indexes[column] !== -1)) return { ...indexes, fees, header }
  }
  return undefined
}

/** Returns the report with only the columns to read, row by row, so that nothing else is stored or sent again. */
export function stripBuyerColumns(rows: FileRow[]): string[][] | undefined {
  const indexes = findColumns(rows)
  if (!indexes) return undefined
  const { fees, header, ...columns } = indexes
  const kept = [...Object.values(columns).filter((index) => index !== -1), ...fees].sort((a, b) => a - b)
  const lines = new Map(
    rows.slice(header).map(({ row, cells }) => [row, kept.map((index) => unescapeFormula(cells[index] ?? ''))]),
  )
  const last = rows.at(-1)?.row ?? 0
  // Not an empty line: a form would drop a leading empty line, which would shift the row numbers.
  return Array.from({ length: last }, (_, index) => lines.get(index + 1) ?? ['--'])
}

type RawRow = Record<AmountColumn, number | null> & {
  row: number
  cell: (column: Column) => string
  unparsableAmount: string | undefined
}

/**
 * Parses the items of an order earnings report; returns a message if it isn't one. An order of several items may have a
 * summary row, whose totals are split by item price. The earnings in the report take precedence over computed ones.
 */
export function parseEbayReport(rows: FileRow[]): OrderLine[] | string {
  const indexes = findColumns(rows)
  if (!indexes)
    return 'This isn’t an eBay order earnings report. It needs order number, date, item title and quantity columns.'
  const raw = rows.slice(indexes.header + 1).map((row) => toRawRow(row, indexes))
  const orders = Map.groupBy(
    raw.filter(({ cell }) => cell('order') !== ''),
    ({ cell }) => cell('order'),
  )
  return [...orders.values()].flatMap(toOrderLines).sort((a, b) => a.row - b.row)
}

function toRawRow({ row, cells }: FileRow, indexes: ColumnIndexes): RawRow {
  const cellText = (index: number) => {
    const text = unescapeFormula((cells[index] ?? '').trim())
    return text === '--' ? '' : text
  }
  let unparsableAmount: string | undefined
  const money = (index: number): number | null => {
    const text = cellText(index)
    if (text === '') return null
    const amount = parseAmount(text.replace(/^(\W*)-/, '$1').replace(/^\((.*)\)$/, '$1'), true)
    if (amount === undefined || amount === 'unsure' || (amount.currency !== null && amount.currency !== 'USD')) {
      unparsableAmount ??= text
      return null
    }
    return /^\W*-|^\(/.test(text) ? -amount.cents : amount.cents
  }
  const amounts = Object.fromEntries(AMOUNT_COLUMNS.map((column) => [column, money(indexes[column])])) as Record<
    AmountColumn,
    number | null
  >
  const fees = indexes.fees.map(money).filter((fee) => fee !== null)
  amounts.fees = fees.length === 0 ? null : fees.reduce((sum, fee) => sum + fee, 0)
  return { row, cell: (column) => cellText(indexes[column]), ...amounts, unparsableAmount }
}

function toOrderLines(order: RawRow[]): OrderLine[] {
  const items = order.filter(({ cell }) => cell('title') !== '')
  const summaryRow = order.find(({ cell }) => cell('title') === '')
  if (items.length === 0 && summaryRow)
    return [{ ...lineIdentity(summaryRow), line: '', problem: 'No item in this order' }]
  const seen = new Map<string, number>()
  const shared = new Map<AmountColumn, number[]>()
  const weights = items.map((item) => item.subtotal ?? item.gross ?? 0)
  for (const column of ['gross', 'fees', 'labels', 'refunds', 'earnings'] as const) {
    const total = summaryRow?.[column] ?? null
    if (total !== null && items.every((item) => item[column] === null))
      shared.set(column, splitProportionally(total, weights))
  }
  return items.map((item, index) => {
    const name = item.cell('itemId') || item.cell('title')
    const copy = (seen.get(name) ?? 0) + 1
    seen.set(name, copy)
    const line = copy === 1 ? name : `${name} (${copy})`
    const of = (column: AmountColumn) => shared.get(column)?.[index] ?? item[column]
    return { ...lineIdentity(item), line, ...toSaleFields(item, summaryRow, of) }
  })
}

function lineIdentity({ row, cell }: RawRow) {
  return { row, order: cell('order'), title: cell('title'), sku: cell('sku') }
}

/** Returns the fields of a sale, or why the row isn't one. */
function toSaleFields(item: RawRow, summaryRow: RawRow | undefined, of: (column: AmountColumn) => number | null) {
  const currency = item.cell('currency') || (summaryRow?.cell('currency') ?? '')
  if (currency !== '' && currency !== 'USD') return { problem: `Only USD is supported, not ${currency}` }
  const unparsableAmount = item.unparsableAmount ?? summaryRow?.unparsableAmount
  if (unparsableAmount !== undefined) return { problem: `Invalid amount: ${unparsableAmount}` }
  const date = parseDate(item.cell('date') || (summaryRow?.cell('date') ?? ''), 'month-first')
  if (date === undefined) return { problem: 'Invalid date' }
  const quantity = parseQuantity(item.cell('quantity'))
  if (quantity === undefined) return { problem: 'Invalid quantity' }
  const amounts = toAmounts(item, of)
  return 'problem' in amounts ? amounts : { date, quantity, ...amounts }
}

/**
 * Returns the gross proceeds after refunds, the fees and the shipping cost. If the report has earnings, fees are
 * proceeds less shipping and earnings.
 */
function toAmounts(
  item: RawRow,
  of: (column: AmountColumn) => number | null,
): { problem: string } | { gross: number; fees: number; shipping: number } {
  const paid = of('gross') ?? sumOfParts(item)
  if (paid === null) return { problem: 'No amount' }
  const gross = paid - Math.abs(of('refunds') ?? 0)
  if (gross <= 0) return { problem: 'Fully refunded' }
  const shipping = Math.abs(of('labels') ?? 0)
  const earnings = of('earnings')
  const fees = earnings === null ? Math.abs(of('fees') ?? 0) : gross - shipping - earnings
  if (fees < 0) return { problem: 'Earnings are higher than what the buyer paid' }
  if (Math.max(gross, fees, shipping) > MAX_PRICE) return { problem: 'Amount is too high' }
  return { gross, fees, shipping }
}

function sumOfParts({ subtotal, postage, discount }: RawRow): number | null {
  return subtotal === null ? null : subtotal + (postage ?? 0) - Math.abs(discount ?? 0)
}
