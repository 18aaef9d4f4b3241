import type { Condition } from '../catalog/condition.ts'

/** A lot with units to sell. `price` is the cost per unit in cents, `date` the purchase date; null if unknown. */
export type SellableLot = {
  id: number
  /** Null if the lot isn't of a set or minifig. */
  condition: Condition | null
  quantity: number
  price: number | null
  date: string | null
}

/** Units that a sale takes from one lot, and their total cost; null if unknown. */
export type LotAllocation = { lotId: number; quantity: number; cost: number | null }

/** Returns the total cost of allocated units; null if any of it is unknown. */
export function totalCost(allocations: LotAllocation[]): number | null {
  return allocations.reduce<number | null>((sum, { cost }) => (sum === null || cost === null ? null : sum + cost), 0)
}

/** Where a sale's units come from: lots of a condition or specific lots, oldest first either way. */
export type LotSelector = { condition: Condition } | { lots: number[] }

/**
 * Allocates units for a sale on a given day, first in, first out; a lot without a date counts as the oldest. Returns a
 * message if there are not enough: no unit is sold twice or before it was bought.
 */
export function allocateUnits(
  lots: SellableLot[],
  selector: LotSelector,
  quantity: number,
  day: string,
): LotAllocation[] | string {
  const eligible = lots.filter((lot) =>
    'lots' in selector ? selector.lots.includes(lot.id) : lot.condition === selector.condition,
  )
  const bought = eligible.filter((lot) => (lot.date ?? '') <= day).sort(byPurchase)
  const allocations: LotAllocation[] = []
  let remaining = quantity
  for (const lot of bought) {
    const taken = Math.min(remaining, lot.quantity)
    if (taken > 0)
      allocations.push({ lotId: lot.id, quantity: taken, cost: lot.price === null ? null : taken * lot.price })
    remaining -= taken
  }
  if (remaining === 0) return allocations
  const available = quantity - remaining
  const count = available === 0 ? 'No' : `Only ${available.toLocaleString('en-US')}`
  const condition = 'lots' in selector ? '' : ` ${selector.condition}`
  const where = 'lots' in selector ? (selector.lots.length === 1 ? ' in that lot' : ' in those lots') : ''
  const when = eligible.length > bought.length ? ` as of ${day}` : ''
  return `${count}${condition} ${available === 1 ? 'unit' : 'units'} available${where}${when}, but you’re selling ${quantity.toLocaleString('en-US')}.`
}

function byPurchase(a: SellableLot, b: SellableLot): number {
  const [first, second] = [a.date ?? '', b.date ?? '']
  return first === second ? a.id - b.id : first < second ? -1 : 1
}
