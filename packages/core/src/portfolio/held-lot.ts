import type { Condition } from '../catalog/condition.ts'
import { decodeDay, readInt64 } from '../primitives/packed.ts'
import { formatDay } from '../primitives/calendar.ts'
import type { LotStatus } from './lot.ts'

/** A lot that an account holds. `unitCost` (in cents) and `purchaseDay` are null if unknown. */
export type HeldLot = {
  collectionId: number
  setNumber: string
  condition: Condition
  quantity: number
  unitCost: number | null
  purchaseDay: number | null
  status: LotStatus
}

const PACKED_BYTES = 24

/** Decodes lots packed by `portfolio.pack_lot`. Both arguments are null if there are none. */
export function decodeHeldLots(setNumbers: string | null, packed: Buffer | null): HeldLot[] {
  if (setNumbers === null || packed === null) return []
  return setNumbers.split(',').map((setNumber, index) => {
    const offset = index * PACKED_BYTES
    const quantity = packed.readInt32BE(offset + 8)
    const unitCost = packed.readInt32BE(offset + 12)
    return {
      collectionId: readInt64(packed, offset),
      setNumber,
      condition: quantity < 0 ? 'used' : 'sealed',
      quantity: Math.abs(quantity),
      unitCost: unitCost === -1 ? null : unitCost,
      purchaseDay: decodeDay(packed.readInt32BE(offset + 16)),
      status: packed.readInt32BE(offset + 20) === 1 ? 'listed' : 'owned',
    }
  })
}

/** Lots bought in one month ('YYYY-MM') and still held. The cost in cents is null if it is known of none of them. */
export type PurchaseMonth = { month: string; lots: number; units: number; cost: number | null }

/** Groups lots by month of purchase, oldest first, without those whose date is unknown. */
export function groupByPurchaseMonth(lots: readonly HeldLot[]): PurchaseMonth[] {
  const months = new Map<string, PurchaseMonth>()
  for (const { purchaseDay, quantity, unitCost } of lots) {
    if (purchaseDay === null) continue
    const name = formatDay(purchaseDay).slice(0, 7)
    const month = months.get(name) ?? { month: name, lots: 0, units: 0, cost: null }
    month.lots++
    month.units += quantity
    if (unitCost !== null) month.cost = (month.cost ?? 0) + quantity * unitCost
    months.set(name, month)
  }
  return [...months.values()].sort((a, b) => (a.month < b.month ? -1 : 1))
}
