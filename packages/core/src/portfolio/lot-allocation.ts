import type { Condition } from '../catalog/condition.ts'

/** A lot of which units can be sold. `price` is what one unit cost, in cents; `date` the day it was bought. */
export type LotToSell = { id: number; condition: Condition; quantity: number; price: number; date: string }

/** Units of one lot that a sale takes, and what they cost together. */
export type Take = { lotId: number; quantity: number; cost: number }

/** Where the units of a sale come from: the oldest lots of a condition, or the oldest of certain lots. */
export type LotChoice = { condition: Condition } | { lots: number[] }

/**
 * Takes units for a sale on a day, from what was bought first. Says why when there are not enough: nothing is sold twice,
 * and nothing before it was bought.
 */
export function takeUnits(lots: LotToSell[], choice: LotChoice, quantity: number, day: string): Take[] | string {
  const meant = lots.filter((lot) =>
    'lots' in choice ? choice.lots.includes(lot.id) : lot.condition === choice.condition,
  )
  const bought = meant.filter((lot) => lot.date <= day).sort(byPurchase)
  const takes: Take[] = []
  let left = quantity
  for (const lot of bought) {
    const taken = Math.min(left, lot.quantity)
    if (taken > 0) takes.push({ lotId: lot.id, quantity: taken, cost: taken * lot.price })
    left -= taken
  }
  if (left === 0) return takes
  const kind = 'lots' in choice ? (choice.lots.length === 1 ? 'That lot has' : 'Those lots have') : 'You hold'
  const units = `${(quantity - left).toLocaleString('en-US')}${'lots' in choice ? '' : ` ${choice.condition}`}`
  const later = meant.length > bought.length ? ` that ${quantity - left === 1 ? 'was' : 'were'} bought by ${day}` : ''
  return `${kind} ${units} ${quantity - left === 1 ? 'unit' : 'units'}${later}, not ${quantity.toLocaleString('en-US')}.`
}

function byPurchase(a: LotToSell, b: LotToSell): number {
  return a.date === b.date ? a.id - b.id : a.date < b.date ? -1 : 1
}
