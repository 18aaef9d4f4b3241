import { formatCsv } from '../primitives/csv.ts'

const EXPORT_HEADER = [
  'collection',
  'set_number',
  'title',
  'condition',
  'status',
  'quantity',
  'purchase_price_usd',
  'purchase_date',
  'notes',
] as const

export type ExportedLot = Record<Exclude<(typeof EXPORT_HEADER)[number], 'notes' | 'quantity'>, string> & {
  quantity: number
  notes: string | null
}

/** Formats lots as CSV in the Brickmark format, which an import reads back exactly. */
export function lotsToCsv(lots: ExportedLot[]): string {
  return formatCsv([[...EXPORT_HEADER], ...lots.map((lot) => EXPORT_HEADER.map((column) => String(lot[column] ?? '')))])
}
