import type { RetailObservation } from '../source/retail-observation.ts'
import { canAppend, applyObservation, type RetailAccumulator } from './retail-state.ts'

/** How a product stood at the end of a day on which its price or who sells it changed. Cents; null: sold out, not known. */
export type RetailDayState = { day: number; price: number | null; sellerType: 'retailer' | 'third_party' | null }

const DAY_MS = 86_400_000

/** The days with these changes of a fold added, one after another: the last change of a day is how it ended. */
export function appendChange(
  days: readonly RetailDayState[],
  before: RetailAccumulator,
  after: RetailAccumulator,
): readonly RetailDayState[] {
  const [previous, current] = [before.lastObservation, after.lastObservation]
  if (current === null || current === previous) return days
  if (previous !== null && previous.price === current.price && previous.sellerType === current.sellerType) return days
  const changed = { day: Math.floor(current.at / DAY_MS), price: current.price, sellerType: current.sellerType }
  return days.at(-1)?.day === changed.day ? [...days.slice(0, -1), changed] : [...days, changed]
}

/** How a product stood on each of some ascending days: as the last change before left it; undefined before the first. */
export function stateOnDays(
  days: readonly number[],
  changes: readonly RetailDayState[],
): (RetailDayState | undefined)[] {
  let next = 0
  return days.map((day) => {
    while (next < changes.length && changes[next]!.day <= day) next++
    return changes[next - 1]
  })
}

/** The stretches of some ascending days on which the retailer itself sold, both ends included. */
export function firstPartyPeriods(
  days: readonly number[],
  changes: readonly RetailDayState[],
): { from: number; to: number }[] {
  const periods: { from: number; to: number }[] = []
  let open: { from: number; to: number } | undefined
  for (const [index, standing] of stateOnDays(days, changes).entries()) {
    const day = days[index]!
    if (standing?.sellerType !== 'retailer' || standing.price === null) open = undefined
    else if (open !== undefined) open.to = day
    else periods.push((open = { from: day, to: day }))
  }
  return periods
}

/** The fold with these observations added one after another, or undefined when one of them is not the next in order. */
export function applyInOrder(before: RetailAccumulator, observations: RetailObservation[]) {
  let sum: { fold: RetailAccumulator; days: readonly RetailDayState[] } = { fold: before, days: [] }
  for (const observation of observations) {
    if (!canAppend(sum.fold, observation)) return undefined
    const next = applyObservation(sum.fold, observation)
    sum = { fold: next, days: appendChange(sum.days, sum.fold, next) }
  }
  return sum
}
