import { valueBasis } from '../market/values/value-basis.ts'
import { formatCsv } from '../primitives/csv.ts'
import { formatDecimal, usdOrNull } from '../primitives/money.ts'
import { valueLot } from './portfolio.ts'

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
  'value_usd',
  'gain_usd',
  'value_basis',
  'type',
]

export type ExportedLot = {
  collection: string
  set_number: string | null
  minifig_number: string | null
  title: string
  condition: string | null
  status: string
  quantity: number
  purchase_price_cents: number | null
  purchase_date: string | null
  notes: string | null
  /** Current value of one unit. */
  value_cents: number | null
  data_tier: string | null
  /** When the owner of a custom item valued it. */
  own_value_date: string | null
}

/**
 * Formats lots as CSV in the Brickmark format, from which an import reads sets back exactly. It ignores value, gain and what the
 * value rests on, which are those of the day of the export, and what isn't a set.
 */
export function lotsToCsv(lots: ExportedLot[]): string {
  return formatCsv([EXPORT_HEADER, ...lots.map((lot) => toRow(lot))])
}

function toRow(lot: ExportedLot): (string | number | null)[] {
  const { value, gain } = valueLot({
    quantity: lot.quantity,
    unitCost: lot.purchase_price_cents,
    unitValue: lot.value_cents,
  })
  return [
    lot.collection,
    lot.set_number ?? lot.minifig_number ?? '',
    lot.title,
    lot.condition ?? '',
    lot.status,
    String(lot.quantity),
    lot.purchase_price_cents === null ? '' : formatDecimal(lot.purchase_price_cents),
    lot.purchase_date ?? '',
    lot.notes ?? '',
    // As numbers: as text, a loss would be escaped like a formula.
    usdOrNull(value),
    usdOrNull(gain),
    value === null ? '' : basisOf(lot),
    lot.set_number !== null ? 'set' : lot.minifig_number !== null ? 'minifig' : 'custom',
  ]
}

function basisOf({ data_tier: tier, own_value_date: valuedOn }: ExportedLot): string {
  return valuedOn === null ? (valueBasis(tier) ?? '') : `your value of ${valuedOn}`
}
