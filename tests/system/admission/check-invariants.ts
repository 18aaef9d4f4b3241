import { none, type Check } from '../scenario.ts'
import type { TestEnvironment } from '../test-environment.ts'
import { findViolations, INVARIANTS, type Violation, type Observation } from './invariants.ts'
import type { LimitedKey } from './calls.ts'

const MAX_FAILURES_SHOWN = 12

/** Everything that the keys' day breaks. `lossy` when answers may be lost. */
export async function checkInvariants(
  stage: TestEnvironment,
  keys: LimitedKey[],
  sightings: Observation[],
  { lossy = false } = {},
): Promise<Violation[]> {
  const used = await stage.creditsUsed()
  const byKey = Map.groupBy(sightings, (one) => one.call.key.keyId)
  return keys.flatMap((key) =>
    findViolations(key.limit, used.get(key.keyId) ?? 0, byKey.get(key.keyId) ?? [], { lossy }).map((one) => ({
      ...one,
      text: `key ${key.keyId}: ${one.text}`,
    })),
  )
}

/** One goal an invariant, in units where units went astray. */
export function checksFor(broken: Violation[], invariants: readonly string[] = Object.values(INVARIANTS)): Check[] {
  const units = (sum: number, one: Violation) => sum + (one.units ?? 1)
  return invariants.map((name) => none(name, broken.filter((one) => one.invariant === name).reduce(units, 0)))
}

export function formatViolations(broken: Violation[]): string[] {
  return broken.slice(0, MAX_FAILURES_SHOWN).map(({ invariant, text }) => `${invariant}: ${text}`)
}

/** How many answers had each status; 0 is no answer. */
export function countByStatus(sightings: Observation[]): Record<string, number> {
  const groups = Object.entries(Object.groupBy(sightings, (one) => String(one.status)))
  return Object.fromEntries(groups.map(([status, all = []]) => [status, all.length]))
}
