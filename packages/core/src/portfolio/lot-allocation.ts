import type { Condition } from '../catalog/condition.ts'

/** A lot with units to sell. `price` is the cost per unit in cents; `date` is the purchase date. */
export type SellableLot = { id: number; condition: Condition; quantity: number; price: number; date: string }

/** Units that a sale takes from one lot, and their total cost. */
export type LotAllocation = { lotId: number; quantity: number; cost: number }

/** Where a sale's units come from: lots of a condition or specific lots, oldest first either way. */
export type LotSelector = { condition: Condition } | { lots: number[] }

/**
 * Allocates units for a sale on a given day, first in, first out. Returns a message if there are not enough: no unit is
 * sold twice or before it was bought.
 */
export function allocateUnits(
  lots: SellableLot[],
  choice: LotSelector,
  quantity: number,
  day: string,
): LotAllocation[] | string {
  const eligible = lots.filter((lot) =>
    'lots' in choice ? choice.lots.includes(lot.id) : lot.condition === choice.condition,
  )
  const bought = eligible.filter((lot) => lot.date <= day).sort(byPurchase)
  const allocations: LotAllocation[] = []
  let remaining = quantity
  for (const lot of bought) {
    const taken = Math.min(remaining, lot.quantity)
    if (taken > 0) allocations.push({ lotId: lot.id, quantity: taken, cost: taken * lot.price })
    remaining -= taken
  }
  if (remaining === 0) return allocations
  const kind = 'lots' in choice ? (choice.lots.length === 1 ? 'That lot has' : 'Those lots have') : 'You hold'
  const units = `${(quantity - remaining).toLocaleString('en-US')}${'lots' in choice ? '' : ` ${choice.condition}`}`
  const later =
    eligible.length > bought.length ? ` that ${quantity - remaining === 1 ? 'was' : 'were'} bought by ${day}` : ''
  return `${kind} ${units} ${quantity - remaining === 1 ? 'unit' : 'units'}${later}, not ${quantity.toLocaleString('en-US')}.`
}

function byPurchase(a: SellableLot, b: SellableLot): number {
  return a.date === b.date ? a.id - b.id : a.date < b.date ? -1 : 1
}
