import type { MarketSale } from './usable-sales.ts'

const WINDOW_DAYS = 30
/** A seller may make this share of all sales around a day, or one, without being suspicious. */
const USUAL_SHARE = 0.03
const REPEAT_EXPONENT = 2

/**
 * Returns the weight (0 to 1) of each sale, oldest first. The more of an item's sales one seller makes within 30 days, the
 * less they weigh together, so that nobody can set a price by repeating it. Sales by unknown sellers have full weight.
 */
export function sellerWeights(sales: readonly MarketSale[]): Float64Array {
  const days = sales.map(({ day }) => day)
  const allAround = countAround(days)
  const weights = new Float64Array(sales.length).fill(1)
  for (const [seller, indexes] of Map.groupBy(sales.keys(), (index) => sales[index]!.seller)) {
    if (seller === null) continue
    const ownAround = countAround(indexes.map((index) => days[index]!))
    for (const [position, index] of indexes.entries()) {
      const usual = Math.max(1, USUAL_SHARE * allAround[index]!)
      weights[index] = Math.min(1, (ownAround[position]! / usual) ** -REPEAT_EXPONENT)
    }
  }
  return weights
}

/** Counts for each day how many of the (ascending) days are within 30 days of it. */
function countAround(days: readonly number[]): number[] {
  let first = 0
  let end = 0
  return days.map((day) => {
    while (days[first]! < day - WINDOW_DAYS) first++
    while (end < days.length && days[end]! <= day + WINDOW_DAYS) end++
    return end - first
  })
}
