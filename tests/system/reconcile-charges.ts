import type { Observation } from './admission/invariants.ts'

/** What became of the charges of one run in which something broke: a refused call may have been charged or not (I2). */
export type ChargeReconciliation = { acknowledged: number; lost: number; unaccounted: number; duplicates: number }

/** Holds what was answered against what the database says was used, by key. */
export function reconcileCharges(seen: Observation[], used: Map<number, number>): ChargeReconciliation {
  const total = { acknowledged: 0, lost: 0, unaccounted: 0, duplicates: 0 }
  for (const [keyId, all] of Map.groupBy(seen, (one) => one.call.key.keyId)) {
    const charged = all.filter((one) => one.call.cost > 0 && one.status === one.call.expectedStatus)
    const acknowledged = units(charged)
    const unknown = units(all.filter((one) => one.status === 503 || one.status === 0))
    const present = used.get(keyId) ?? 0
    total.acknowledged += acknowledged
    total.lost += Math.max(0, acknowledged - present)
    total.unaccounted += Math.max(0, present - acknowledged - unknown)
    total.duplicates += countDuplicateNumbers(charged)
  }
  return total
}

function units(seen: Observation[]): number {
  return seen.reduce((sum, one) => sum + one.call.cost, 0)
}

/** A charge of price p that left r took the numbers r + 1 … r + p; no number may be taken twice (I3). */
function countDuplicateNumbers(charged: Observation[]): number {
  let duplicates = 0
  let least = Infinity
  const takes = charged.map(({ call, remaining = 0 }) => ({ to: remaining, from: remaining + call.cost }))
  for (const { from, to } of takes.toSorted((a, b) => b.from - a.from)) {
    duplicates += Math.max(0, from - least)
    least = Math.min(least, to)
  }
  return duplicates
}
