import { formatCsv } from '../primitives/csv.ts'
import { formatDecimal } from '../primitives/money.ts'

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
]

export type ExportedLot = {
  collection: string
  set_number: string
  title: string
  condition: string
  status: string
  quantity: number
  purchase_price_cents: number | null
  purchase_date: string | null
  notes: string | null
}

/** Formats lots as CSV in the Brickmark format, which an import reads back exactly. */
export function lotsToCsv(lots: ExportedLot[]): string {
  return formatCsv([
    EXPORT_HEADER,
    ...lots.map((lot) => [
      lot.collection,
      lot.set_number,
      lot.title,
      lot.condition,
      lot.status,
      String(lot.quantity),
      lot.purchase_price_cents === null ? '' : formatDecimal(lot.purchase_price_cents),
      lot.purchase_date ?? '',
      lot.notes ?? '',
    ]),
  ])
}
