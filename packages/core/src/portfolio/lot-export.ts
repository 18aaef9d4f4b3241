import { writeCsv } from '../primitives/csv.ts'

const OWN_HEADER = [
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

export type ExportedLot = Record<Exclude<(typeof OWN_HEADER)[number], 'notes' | 'quantity'>, string> & {
  quantity: number
  notes: string | null
}

/** Lots in our own format, which an import reads back exactly. */
export function exportLots(lots: ExportedLot[]): string {
  return writeCsv([[...OWN_HEADER], ...lots.map((lot) => OWN_HEADER.map((column) => String(lot[column] ?? '')))])
}
