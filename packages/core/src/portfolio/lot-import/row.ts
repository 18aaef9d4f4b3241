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
type RowValues = {
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

/** Parses a row's cells, or returns why they can't be parsed. An ambiguous date is 'unsure'. */
export function parseRow(
  cells: string[],
  mapping: ColumnMapping,
  { format, order, today }: { format: FormatName; order: DateOrder | undefined; today: string },
): RowValues | string {
  const raw = (field: ImportField) => cells[mapping[field] ?? -1] ?? ''
  const cell = (field: ImportField) => raw(field).trim()
  // The Brickmark format restores texts exactly.
  const text = (field: 'notes' | 'collection') => (format === 'own' ? unescapeFormula(raw(field)) : cell(field)) || null

  if (cell('type') !== '' && cell('type').toUpperCase() !== 'S') return 'it is not a set'
  if (/^0+$/.test(cell('quantity'))) return 'its quantity is 0'
  const quantity = cell('quantity') === '' ? 1 : parseQuantity(cell('quantity').replace(/\.0+$/, ''))
  if (quantity === undefined) return `the quantity ${cell('quantity')} is not a whole number up to 1,000,000`

  const dayText = cell('date')
  const day = dayText === '' ? undefined : parseDate(dayText, order)
  if (dayText !== '' && day === undefined) return `the date ${dayText} cannot be read`
  if (day !== undefined && day !== 'unsure' && !isValidPurchaseDate(day, today))
    return `the date ${dayText} is not in the past`

  const amount = cell('price') === '' ? undefined : parseAmount(cell('price'), MACHINE_FORMATS.includes(format))
  if (amount === 'unsure') return `the price ${cell('price')} can be read in two ways`
  if (cell('price') !== '' && amount === undefined) return `the price ${cell('price')} cannot be read`

  const [notes, collection] = [text('notes'), text('collection')]
  if ((notes?.length ?? 0) > MAX_NOTES) return `its notes have more than ${MAX_NOTES} characters`
  if ((collection?.length ?? 0) > MAX_COLLECTION_NAME)
    return `the name of its collection has more than ${MAX_COLLECTION_NAME} characters`
  return {
    quantity,
    condition: parseCondition(cell('condition')),
    status: statusOf(cell),
    // Prices in the Brickmark format are in USD by definition.
    amount: amount && format === 'own' ? { ...amount, currency: 'USD' } : amount,
    day,
    dayText,
    notes,
    collection,
  }
}

/** Returns the status of a row. A store's item is listed unless it is in the stockroom. */
function statusOf(cell: (field: ImportField) => string): LotStatus {
  const status = cell('status').toLowerCase()
  if (isLotStatus(status)) return status
  return cell('asking') !== '' && cell('stockroom').toUpperCase() !== 'Y' ? 'listed' : 'owned'
}
