import { none, type Goal } from '../scenario.ts'
import type { Stage } from '../test-environment.ts'
import { brokenBy, INVARIANTS, type Broken, type Sighting } from './invariants.ts'
import type { LimitedKey } from './calls.ts'

const FAILURES_SHOWN = 12

/** Everything that the keys' day breaks. `lossy` when answers may be lost. */
export async function judge(
  stage: Stage,
  keys: LimitedKey[],
  sightings: Sighting[],
  { lossy = false } = {},
): Promise<Broken[]> {
  const used = await stage.used()
  const byKey = Map.groupBy(sightings, (one) => one.call.key.keyId)
  return keys.flatMap((key) =>
    brokenBy(key.limit, used.get(key.keyId) ?? 0, byKey.get(key.keyId) ?? [], { lossy }).map((one) => ({
      ...one,
      text: `key ${key.keyId}: ${one.text}`,
    })),
  )
}

/** One goal an invariant, in units where units went astray. */
export function goalsOf(broken: Broken[], invariants: readonly string[] = Object.values(INVARIANTS)): Goal[] {
  const units = (sum: number, one: Broken) => sum + (one.units ?? 1)
  return invariants.map((name) => none(name, broken.filter((one) => one.invariant === name).reduce(units, 0)))
}

export function failuresOf(broken: Broken[]): string[] {
  return broken.slice(0, FAILURES_SHOWN).map(({ invariant, text }) => `${invariant}: ${text}`)
}

/** How many answers had each status; 0 is no answer. */
export function byStatus(sightings: Sighting[]): Record<string, number> {
  const groups = Object.entries(Object.groupBy(sightings, (one) => String(one.status)))
  return Object.fromEntries(groups.map(([status, all = []]) => [status, all.length]))
}
