import type { Condition } from '../catalog/condition.ts'
import type { HeldLot } from './held-lot.ts'
import { averageCost } from './portfolio.ts'

/** The copies of a set in one condition that an account holds; money per copy, in cents, null if unknown. */
export type OwnedSet = {
  setNumber: string
  condition: Condition
  copies: number
  /** What was paid on average, for the copies of which it is known. */
  paid: number | null
  /** What selling one copy now would leave after fees and shipping. */
  net: number | null
}

/** What selling everything now would leave. `net`, `paid` and `gain` are about the same copies. */
export type OwnedTotals = {
  copies: number
  net: number
  paid: number
  gain: number
  /** Copies whose value or purchase price is unknown. They aren't part of the amounts. */
  excluded: number
}

/** Groups lots by set and condition, and adds up those of which both amounts are known. `netOf` returns that of one copy. */
export function summarizeOwnedSets(
  lots: readonly HeldLot[],
  netOf: (setNumber: string, condition: Condition) => number | null,
): { sets: OwnedSet[]; totals: OwnedTotals } {
  const totals: OwnedTotals = { copies: 0, net: 0, paid: 0, gain: 0, excluded: 0 }
  const sets = Map.groupBy(lots, ({ setNumber, condition }) => `${condition} ${setNumber}`)
    .values()
    .map((own): OwnedSet => {
      const { setNumber, condition } = own[0]!
      const net = netOf(setNumber, condition)
      let [copies, paidCopies, cost] = [0, 0, 0]
      for (const { quantity, unitCost } of own) {
        copies += quantity
        if (unitCost !== null) {
          paidCopies += quantity
          cost += quantity * unitCost
        }
        if (unitCost === null || net === null) {
          totals.excluded += quantity
        } else {
          totals.copies += quantity
          totals.net += quantity * net
          totals.paid += quantity * unitCost
        }
      }
      return { setNumber, condition, copies, paid: averageCost(paidCopies === 0 ? null : cost, paidCopies), net }
    })
    .toArray()
  totals.gain = totals.net - totals.paid
  return { sets, totals }
}
