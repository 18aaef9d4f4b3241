import type { RetailObservation } from '../../source/retail-observation.ts'
import { canAppend, applyObservation, type RetailAccumulator } from './retail-state.ts'

/** A product at the end of a day on which its price (cents) or seller type changed; null if sold out or unknown. */
export type RetailDayState = { day: number; price: number | null; sellerType: 'retailer' | 'third_party' | null }

const DAY_MS = 86_400_000

/** Appends the change between two accumulators, if any. A later change on the same day replaces the earlier one. */
export function appendChange(
  days: readonly RetailDayState[],
  accumulatorBefore: RetailAccumulator,
  accumulatorAfter: RetailAccumulator,
): readonly RetailDayState[] {
  const [previous, current] = [accumulatorBefore.lastObservation, accumulatorAfter.lastObservation]
  if (current === null || current === previous) return days
  if (previous !== null && previous.price === current.price && previous.sellerType === current.sellerType) return days
  const changed = { day: Math.floor(current.at / DAY_MS), price: current.price, sellerType: current.sellerType }
  return days.at(-1)?.day === changed.day ? [...days.slice(0, -1), changed] : [...days, changed]
}

/** Returns the state on each of the (ascending) days: the latest change so far, or undefined before the first. */
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

/** Returns the periods within the (ascending) days in which the retailer itself sold the product, ends inclusive. */
export function firstPartyPeriods(
  days: readonly number[],
  changes: readonly RetailDayState[],
): { from: number; to: number }[] {
  const periods: { from: number; to: number }[] = []
  let open: { from: number; to: number } | undefined
  for (const [index, state] of stateOnDays(days, changes).entries()) {
    const day = days[index]!
    if (state?.sellerType !== 'retailer' || state.price === null) open = undefined
    else if (open !== undefined) open.to = day
    else periods.push((open = { from: day, to: day }))
  }
  return periods
}

/** Applies the observations one by one; returns undefined if any of them is out of order. */
export function applyInOrder(accumulatorBefore: RetailAccumulator, observations: RetailObservation[]) {
  let sum: { accumulator: RetailAccumulator; days: readonly RetailDayState[] } = {
    accumulator: accumulatorBefore,
    days: [],
  }
  for (const observation of observations) {
    if (!canAppend(sum.accumulator, observation)) return undefined
    const next = applyObservation(sum.accumulator, observation)
    sum = { accumulator: next, days: appendChange(sum.days, sum.accumulator, next) }
  }
  return sum
}
