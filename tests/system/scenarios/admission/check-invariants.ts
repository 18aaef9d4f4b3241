import { none, timing, type Check } from '../../harness/scenario.ts'
import type { TestEnvironment } from '../../harness/test-environment.ts'
import { findViolations, INVARIANTS, type Violation, type Observation } from './invariants.ts'
import type { LimitedKey } from './calls.ts'

const MAX_FAILURES_SHOWN = 12

/** Returns every violation in the keys' quota days. */
export async function checkInvariants(
  environment: TestEnvironment,
  keys: LimitedKey[],
  observations: Observation[],
  options: { lossy?: boolean } = {},
): Promise<Violation[]> {
  const used = await environment.creditsUsed()
  const byKey = Map.groupBy(observations, (observation) => observation.call.key.keyId)
  return keys.flatMap((key) =>
    findViolations(key.limit, used.get(key.keyId) ?? 0, byKey.get(key.keyId) ?? [], options).map((violation) => ({
      ...violation,
      text: `key ${key.keyId}: ${violation.text}`,
    })),
  )
}

/** Describes violations, except rejections by an overloaded node, of which `checksFor` reports the number. */
export function formatViolations(violations: Violation[]): string[] {
  return violations
    .filter(({ invariant }) => invariant !== INVARIANTS.overload)
    .slice(0, MAX_FAILURES_SHOWN)
    .map(({ invariant, text }) => `${invariant}: ${text}`)
}

/** Returns one check per invariant, counting credits where the violation has a credit count. */
export function checksFor(violations: Violation[], invariants: readonly string[] = Object.values(INVARIANTS)): Check[] {
  const units = (sum: number, violation: Violation) => sum + (violation.units ?? 1)
  return invariants.map((name) => {
    const check = none(name, violations.filter((violation) => violation.invariant === name).reduce(units, 0))
    return name === INVARIANTS.overload ? timing(check) : check
  })
}

/** Counts responses by status; 0 means no response. */
export function countByStatus(observations: Observation[]): Record<string, number> {
  const groups = Object.entries(Object.groupBy(observations, (observation) => String(observation.status)))
  return Object.fromEntries(groups.map(([status, all = []]) => [status, all.length]))
}
