import type { RetailObservation } from '../source/retail-observation.ts'
import { canFold, fold, type RetailFold } from './retail-state.ts'

/** How a product stood at the end of a day on which its price or who sells it changed. Cents; null: sold out, not known. */
export type RetailDay = { day: number; price: number | null; sellerType: 'retailer' | 'third_party' | null }

const DAY_MS = 86_400_000

/** The days with these changes of a fold added, one after another: the last change of a day is how it ended. */
export function addChange(days: readonly RetailDay[], before: RetailFold, after: RetailFold): readonly RetailDay[] {
  const [was, is] = [before.seen, after.seen]
  if (is === null || is === was) return days
  if (was !== null && was.price === is.price && was.sellerType === is.sellerType) return days
  const changed = { day: Math.floor(is.at / DAY_MS), price: is.price, sellerType: is.sellerType }
  return days.at(-1)?.day === changed.day ? [...days.slice(0, -1), changed] : [...days, changed]
}

/** How a product stood on each of some ascending days: as the last change before left it; undefined before the first. */
export function standingOn(days: readonly number[], changes: readonly RetailDay[]): (RetailDay | undefined)[] {
  let next = 0
  return days.map((day) => {
    while (next < changes.length && changes[next]!.day <= day) next++
    return changes[next - 1]
  })
}

/** The stretches of some ascending days on which the retailer itself sold, both ends included. */
export function soldByRetailer(days: readonly number[], changes: readonly RetailDay[]): { from: number; to: number }[] {
  const stretches: { from: number; to: number }[] = []
  let open: { from: number; to: number } | undefined
  for (const [place, standing] of standingOn(days, changes).entries()) {
    const day = days[place]!
    if (standing?.sellerType !== 'retailer' || standing.price === null) open = undefined
    else if (open !== undefined) open.to = day
    else stretches.push((open = { from: day, to: day }))
  }
  return stretches
}

/** The fold with these observations added one after another, or undefined when one of them is not the next in order. */
export function addInOrder(before: RetailFold, observations: RetailObservation[]) {
  let sum: { fold: RetailFold; days: readonly RetailDay[] } = { fold: before, days: [] }
  for (const observation of observations) {
    if (!canFold(sum.fold, observation)) return undefined
    const next = fold(sum.fold, observation)
    sum = { fold: next, days: addChange(sum.days, sum.fold, next) }
  }
  return sum
}
