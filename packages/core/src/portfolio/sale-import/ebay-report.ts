import { unescapeFormula } from '../../primitives/csv.ts'
import { normalizeHeader } from '../lot-import/format.ts'
import { parseAmount, parseDate } from '../lot-import/parse-values.ts'
import { MAX_PRICE, parseQuantity } from '../lot.ts'
import { splitProportionally } from '../../primitives/money.ts'

/** A line of a file: `row` is the number a spreadsheet shows. */
export type FileRow = { row: number; cells: string[] }

/** One item of an order, in cents, or why it cannot be a sale. */
export type OrderLine = {
  row: number
  order: string
  /** Tells the lines of an order apart, the same in every report. */
  line: string
  title: string
  /** The seller's own mark. */
  sku: string
} & ({ problem: string } | { date: string; quantity: number; gross: number; fees: number; shipping: number })

/** The columns we read, by plain name. Every other one stays out, above all who bought and where they live. */
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

/** Where the columns are. The report begins with lines that say what it is; its table begins below. */
function findColumns(rows: FileRow[]): ColumnIndexes | undefined {
  for (const [header, { cells }] of rows.entries()) {
    const names = cells.map(normalizeHeader)
    const found = Object.entries(COLUMNS).map(([column, known]) => [
      column,
      names.findIndex((name) => known.includes(name)),
    ])
    const places = Object.fromEntries(found) as Record<Column, number>
    const fees = names.flatMap((name, index) => (/^(?!total).*fee(?!d)/.test(name) ? [index] : []))
    if (REQUIRED_COLUMNS.every((column) => places[column] !== -1)) return { ...places, fees, header }
  }
  return undefined
}

/** The same report with the columns we read and no other, row for row, so that nothing else need be kept or sent again. */
export function stripBuyerColumns(rows: FileRow[]): string[][] | undefined {
  const places = findColumns(rows)
  if (!places) return undefined
  const { fees, header, ...columns } = places
  const kept = [...Object.values(columns).filter((index) => index !== -1), ...fees].sort((a, b) => a - b)
  const lines = new Map(
    rows.slice(header).map(({ row, cells }) => [row, kept.map((index) => unescapeFormula(cells[index] ?? ''))]),
  )
  const last = rows.at(-1)?.row ?? 0
  // Not an empty line: a form would lose the first one, and rows their numbers.
  return Array.from({ length: last }, (_, index) => lines.get(index + 1) ?? ['--'])
}

type RawRow = Record<AmountColumn, number | null> & {
  row: number
  cell: (column: Column) => string
  unparsableAmount: string | undefined
}

/**
 * The items that an order earnings report tells of; a sentence when it is none. An order of several items may have a line
 * of its own with its totals: they are shared out by the price of the items. What was earned is what the report says.
 */
export function parseEbayReport(rows: FileRow[]): OrderLine[] | string {
  const places = findColumns(rows)
  if (!places)
    return 'That is not an order earnings report: it needs columns for order number, date, item title and quantity.'
  const raw = rows.slice(places.header + 1).map((row) => toRawRow(row, places))
  const orders = Map.groupBy(
    raw.filter(({ cell }) => cell('order') !== ''),
    ({ cell }) => cell('order'),
  )
  return [...orders.values()].flatMap(toOrderLines).sort((a, b) => a.row - b.row)
}

function toRawRow({ row, cells }: FileRow, places: ColumnIndexes): RawRow {
  const at = (index: number) => {
    const text = unescapeFormula((cells[index] ?? '').trim())
    return text === '--' ? '' : text
  }
  let unparsableAmount: string | undefined
  const money = (index: number): number | null => {
    const text = at(index)
    if (text === '') return null
    const amount = parseAmount(text.replace(/^(\W*)-/, '$1').replace(/^\((.*)\)$/, '$1'), true)
    if (amount === undefined || amount === 'unsure' || (amount.currency !== null && amount.currency !== 'USD')) {
      unparsableAmount ??= text
      return null
    }
    return /^\W*-|^\(/.test(text) ? -amount.cents : amount.cents
  }
  const amounts = Object.fromEntries(AMOUNT_COLUMNS.map((column) => [column, money(places[column])])) as Record<
    AmountColumn,
    number | null
  >
  const fees = places.fees.map(money).filter((fee) => fee !== null)
  amounts.fees = fees.length === 0 ? null : fees.reduce((sum, fee) => sum + fee, 0)
  return { row, cell: (column) => at(places[column]), ...amounts, unparsableAmount }
}

function toOrderLines(order: RawRow[]): OrderLine[] {
  const items = order.filter(({ cell }) => cell('title') !== '')
  const summaryRow = order.find(({ cell }) => cell('title') === '')
  if (items.length === 0 && summaryRow) return [{ ...lineIdentity(summaryRow), line: '', problem: 'it names no item' }]
  const seen = new Map<string, number>()
  const shared = new Map<AmountColumn, number[]>()
  const weights = items.map((item) => item.subtotal ?? item.gross ?? 0)
  for (const column of ['gross', 'fees', 'labels', 'refunds', 'earnings'] as const) {
    const whole = summaryRow?.[column] ?? null
    if (whole !== null && items.every((item) => item[column] === null))
      shared.set(column, splitProportionally(whole, weights))
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

function toSaleFields(item: RawRow, summaryRow: RawRow | undefined, of: (column: AmountColumn) => number | null) {
  const day = parseDate(item.cell('date') || (summaryRow?.cell('date') ?? ''), 'month-first')
  const quantity = parseQuantity(item.cell('quantity'))
  const currency = item.cell('currency') || (summaryRow?.cell('currency') ?? '')
  if (currency !== '' && currency !== 'USD') return { problem: `it is in ${currency}: only US dollars are taken` }
  const unparsableAmount = item.unparsableAmount ?? summaryRow?.unparsableAmount
  if (unparsableAmount !== undefined) return { problem: `the amount ${unparsableAmount} cannot be read` }
  if (day === undefined) return { problem: 'its date cannot be read' }
  if (quantity === undefined) return { problem: 'its quantity is not a whole number' }
  const paid =
    of('gross') ?? (item.subtotal === null ? null : item.subtotal + (item.postage ?? 0) - Math.abs(item.discount ?? 0))
  if (paid === null) return { problem: 'it says no amount' }
  const gross = paid - Math.abs(of('refunds') ?? 0)
  if (gross <= 0) return { problem: 'it was refunded whole' }
  const shipping = Math.abs(of('labels') ?? 0)
  const earnings = of('earnings')
  const fees = earnings === null ? Math.abs(of('fees') ?? 0) : gross - shipping - earnings
  if (fees < 0) return { problem: 'it earned more than the buyer paid' }
  if (Math.max(gross, fees, shipping) > MAX_PRICE) return { problem: 'its amount is too high' }
  return { date: day, quantity, gross, fees, shipping }
}
