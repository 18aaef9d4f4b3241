import type { Sighting } from './admission/invariants.ts'

/** What became of the charges of one run in which something broke: a refused call may have been charged or not (I2). */
export type Balance = { acknowledged: number; lost: number; unexplained: number; twice: number }

/** Holds what was answered against what the database says was used, by key. */
export function balance(seen: Sighting[], used: Map<number, number>): Balance {
  const total = { acknowledged: 0, lost: 0, unexplained: 0, twice: 0 }
  for (const [keyId, all] of Map.groupBy(seen, (one) => one.call.key.keyId)) {
    const charged = all.filter((one) => one.call.price > 0 && one.status === one.call.success)
    const acknowledged = units(charged)
    const unknown = units(all.filter((one) => one.status === 503 || one.status === 0))
    const present = used.get(keyId) ?? 0
    total.acknowledged += acknowledged
    total.lost += Math.max(0, acknowledged - present)
    total.unexplained += Math.max(0, present - acknowledged - unknown)
    total.twice += numbersTwice(charged)
  }
  return total
}

function units(seen: Sighting[]): number {
  return seen.reduce((sum, one) => sum + one.call.price, 0)
}

/** A charge of price p that left r took the numbers r + 1 … r + p; no number may be taken twice (I3). */
function numbersTwice(charged: Sighting[]): number {
  let twice = 0
  let least = Infinity
  const takes = charged.map(({ call, remaining = 0 }) => ({ to: remaining, from: remaining + call.price }))
  for (const { from, to } of takes.toSorted((a, b) => b.from - a.from)) {
    twice += Math.max(0, from - least)
    least = Math.min(least, to)
  }
  return twice
}
