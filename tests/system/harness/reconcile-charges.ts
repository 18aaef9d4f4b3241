import type { Observation } from '../scenarios/admission/invariants.ts'

/**
 * Result of reconciling the charges of a run with faults, in which a rejected call may or may not have been charged
 * (I2).
 */
export type ChargeReconciliation = { acknowledged: number; lost: number; unaccounted: number; duplicates: number }

/** Compares the acknowledged charges with the usage in the database, by key. */
export function reconcileCharges(observations: Observation[], used: Map<number, number>): ChargeReconciliation {
  const total = { acknowledged: 0, lost: 0, unaccounted: 0, duplicates: 0 }
  for (const [keyId, all] of Map.groupBy(observations, (observation) => observation.call.key.keyId)) {
    const successful = all.filter(
      (observation) => observation.call.cost > 0 && observation.status === observation.call.expectedStatus,
    )
    const acknowledged = totalCost(successful)
    const unknown = totalCost(all.filter((observation) => observation.status === 503 || observation.status === 0))
    const charged = used.get(keyId) ?? 0
    total.acknowledged += acknowledged
    total.lost += Math.max(0, acknowledged - charged)
    total.unaccounted += Math.max(0, charged - acknowledged - unknown)
    total.duplicates += countDuplicateNumbers(successful)
  }
  return total
}

function totalCost(observations: Observation[]): number {
  return observations.reduce((sum, observation) => sum + observation.call.cost, 0)
}

/**
 * A charge of cost c that reports r remaining consumed the numbers r + 1 … r + c; no number may be consumed twice (I3).
 */
function countDuplicateNumbers(charged: Observation[]): number {
  let duplicates = 0
  let lowest = Infinity
  const consumed = charged.map(({ call, remaining = 0 }) => ({ to: remaining, from: remaining + call.cost }))
  for (const { from, to } of consumed.toSorted((a, b) => b.from - a.from)) {
    duplicates += Math.max(0, from - lowest)
    lowest = Math.min(lowest, to)
  }
  return duplicates
}
