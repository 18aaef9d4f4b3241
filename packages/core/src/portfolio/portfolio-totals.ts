import { gainPercent, type ValuedLot } from './portfolio.ts'

/**
 * Value, cost and gain of holdings, in cents. Lots without a value are counted but excluded from all amounts; lots of
 * unknown cost are excluded from cost and gain. Value = cost + gain + value of the lots of unknown cost.
 */
export type PortfolioTotals = {
  /** How many different items there are. */
  distinctItems: number
  /** How many copies of them. */
  items: number
  value: number
  cost: number
  gain: number
  valueWithoutCost: number
}

/** Sums up current lots. */
export function sumTotals(held: ValuedLot[]): PortfolioTotals {
  const distinct = new Set<string>()
  const totals = { distinctItems: 0, items: 0, value: 0, cost: 0, gain: 0, valueWithoutCost: 0 }
  for (const { item, quantity, cost, value } of held) {
    distinct.add(item)
    totals.items += quantity
    if (value === null) continue
    totals.value += value
    if (cost === null) {
      totals.valueWithoutCost += value
      continue
    }
    totals.cost += cost
    totals.gain += value - cost
  }
  totals.distinctItems = distinct.size
  return totals
}

/** Counts the units that the totals exclude: from all amounts without a value, from cost and gain without a cost. */
export function countExcludedUnits(held: ValuedLot[]): { withoutValue: number; withoutCost: number } {
  const units = { withoutValue: 0, withoutCost: 0 }
  for (const { quantity, value, cost } of held) {
    if (value === null) units.withoutValue += quantity
    else if (cost === null) units.withoutCost += quantity
  }
  return units
}

/** Totals as pages show them: an amount is null instead of 0 if it is known of no unit. */
export type LotSummary = Omit<PortfolioTotals, 'value' | 'cost' | 'gain'> & {
  value: number | null
  cost: number | null
  gain: number | null
  /** Gain as a fraction of the cost; null if nothing was paid. */
  gainRatio: number | null
  excluded: ReturnType<typeof countExcludedUnits>
}

export function summarizeLots(held: ValuedLot[]): LotSummary {
  const totals = sumTotals(held)
  const { items, value, cost, gain } = totals
  const excluded = countExcludedUnits(held)
  const valued = items - excluded.withoutValue
  const hasCost = items === 0 || valued > excluded.withoutCost
  return {
    ...totals,
    excluded,
    value: items === 0 || valued > 0 ? value : null,
    cost: hasCost ? cost : null,
    gain: hasCost ? gain : null,
    gainRatio: cost === 0 ? null : gainPercent(gain, cost) / 100,
  }
}
