import {
  isLotStatus,
  isValidPurchaseDate,
  MAX_COLLECTION_NAME,
  MAX_NOTES,
  parseQuantity,
  type LotStatus,
} from '../lot.ts'
import type { Condition } from '../../catalog/condition.ts'
import { unescapeFormula } from '../../primitives/csv.ts'
import type { FormatName, ImportField, ColumnMapping } from './format.ts'
import { parseAmount, parseCondition, parseDate, type Amount, type DateOrder } from './parse-values.ts'

/** Values of a row other than its set; undefined if the row has no value. */
export type RowValues = {
  quantity: number
  condition: Condition | undefined
  status: LotStatus
  amount: Amount | undefined
  day: string | undefined
  dayText: string
  notes: string | null
  collection: string | null
}

/** Machine-written formats, which always use a decimal point. */
const MACHINE_FORMATS: FormatName[] = ['own', 'bricklink']

type ParseContext = { format: FormatName; order: DateOrder | undefined; today: string }
type Cell = (field: ImportField) => string

/** Parses a row's cells, or returns why they can't be parsed. An ambiguous date is 'unsure'. */
export function parseRow(cells: string[], mapping: ColumnMapping, context: ParseContext): RowValues | string {
  const rawCell: Cell = (field) => cells[mapping[field] ?? -1] ?? ''
  const cell: Cell = (field) => rawCell(field).trim()
  if (!['', 's', 'set'].includes(cell('type').toLowerCase())) return 'Not a set'
  const quantity = parseQuantityCell(cell('quantity'))
  if (typeof quantity === 'string') return quantity
  const date = parseDateCell(cell('date'), context)
  if ('problem' in date) return date.problem
  const price = parsePriceCell(cell('price'), context.format)
  if (typeof price === 'string') return price
  const texts = parseTexts(context.format === 'own' ? (field) => unescapeFormula(rawCell(field)) : cell)
  if (typeof texts === 'string') return texts
  return {
    quantity,
    condition: parseCondition(cell('condition')),
    status: statusOf(cell),
    amount: price,
    day: date.day,
    dayText: cell('date'),
    ...texts,
  }
}

function parseQuantityCell(text: string): number | string {
  if (text === '') return 1
  if (/^0+$/.test(text)) return 'Quantity is 0'
  return parseQuantity(text.replace(/\.0+$/, '')) ?? `Invalid quantity: ${text}`
}

function parseDateCell(
  text: string,
  { order, today }: ParseContext,
): { day: string | undefined } | { problem: string } {
  if (text === '') return { day: undefined }
  const day = parseDate(text, order)
  if (day === undefined) return { problem: `Invalid date: ${text}` }
  if (day !== 'unsure' && !isValidPurchaseDate(day, today))
    return { problem: `Date is ${day > today ? 'in the future' : 'too early'}: ${text}` }
  return { day }
}

function parsePriceCell(text: string, format: FormatName): Amount | undefined | string {
  if (text === '') return undefined
  const amount = parseAmount(text, MACHINE_FORMATS.includes(format))
  if (amount === 'unsure') return `Ambiguous price: ${text}`
  if (amount === undefined) return `Invalid price: ${text}`
  // Prices in the Brickmark format are in USD by definition.
  return format === 'own' ? { ...amount, currency: 'USD' } : amount
}

/** Reads notes and collection; the Brickmark format restores them exactly. */
function parseTexts(cell: Cell): { notes: string | null; collection: string | null } | string {
  const [notes, collection] = [cell('notes') || null, cell('collection') || null]
  if ((notes?.length ?? 0) > MAX_NOTES) return `Notes are longer than ${MAX_NOTES.toLocaleString('en-US')} characters`
  if ((collection?.length ?? 0) > MAX_COLLECTION_NAME)
    return `Collection name is longer than ${MAX_COLLECTION_NAME} characters`
  return { notes, collection }
}

/** Returns the status of a row. A store's item is listed unless it is in the stockroom. */
function statusOf(cell: (field: ImportField) => string): LotStatus {
  const status = cell('status').toLowerCase()
  if (isLotStatus(status)) return status
  return cell('asking') !== '' && cell('stockroom').toUpperCase() !== 'Y' ? 'listed' : 'owned'
}
