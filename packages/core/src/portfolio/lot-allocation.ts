import type { Condition } from '../catalog/condition.ts'

/** A lot of which units can be sold. `price` is what one unit cost, in cents; `date` the day it was bought. */
export type SellableLot = { id: number; condition: Condition; quantity: number; price: number; date: string }

/** Units of one lot that a sale takes, and what they cost together. */
export type LotAllocation = { lotId: number; quantity: number; cost: number }

/** Where the units of a sale come from: the oldest lots of a condition, or the oldest of certain lots. */
export type LotSelector = { condition: Condition } | { lots: number[] }

/**
 * Takes units for a sale on a day, from what was bought first. Says why when there are not enough: nothing is sold twice,
 * and nothing before it was bought.
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
  const takes: LotAllocation[] = []
  let remaining = quantity
  for (const lot of bought) {
    const taken = Math.min(remaining, lot.quantity)
    if (taken > 0) takes.push({ lotId: lot.id, quantity: taken, cost: taken * lot.price })
    remaining -= taken
  }
  if (remaining === 0) return takes
  const kind = 'lots' in choice ? (choice.lots.length === 1 ? 'That lot has' : 'Those lots have') : 'You hold'
  const units = `${(quantity - remaining).toLocaleString('en-US')}${'lots' in choice ? '' : ` ${choice.condition}`}`
  const later =
    eligible.length > bought.length ? ` that ${quantity - remaining === 1 ? 'was' : 'were'} bought by ${day}` : ''
  return `${kind} ${units} ${quantity - remaining === 1 ? 'unit' : 'units'}${later}, not ${quantity.toLocaleString('en-US')}.`
}

function byPurchase(a: SellableLot, b: SellableLot): number {
  return a.date === b.date ? a.id - b.id : a.date < b.date ? -1 : 1
}
