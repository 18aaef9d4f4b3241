import type { Call } from './calls.ts'

/** A request that was sent, and the quota reported in its response. */
export type Observation = {
  call: Call
  /** 0 if there was no response. */
  status: number
  /** Why there was no response. */
  error: string | undefined
  sentAt: number
  receivedAt: number
  limit: number | undefined
  remaining: number | undefined
  reset: string | undefined
  retryAfter: number | undefined
  /** By the node's clock. */
  date: string | undefined
  /** `remaining` in the body of a 200. */
  metaRemaining: number | undefined
}

export type Violation = { invariant: string; text: string; units?: number }

export const INVARIANTS = {
  I1: 'I1 over-admitted credits',
  I2: 'I2 credits charged but not acknowledged, or lost',
  duplicates: 'I3 duplicate remaining values',
  gaps: 'I3 skipped remaining values',
  I4: 'I4 increases of remaining',
  I5: 'I5 mismatches of header, meta and limit − used',
  I6: 'I6 credits charged for rejections',
  I7: 'I7 batches charged neither N nor 0',
  under: 'under-admission: rejected within the limit',
  status: 'unexpected statuses',
  overload: 'rejected with 503 although nothing was broken',
} as const

/** True if the charge is unknown: there was no response, or the node lost its connection to the database. */
export function isIndeterminate({ status }: Observation): boolean {
  return status === 0 || status === 503
}

/**
 * Returns every violation in one key's quota day, given the final `used` in the database. Responses may be lost only
 * where something was killed (`lossy`); then any part of their cost may have been charged.
 */
export function findViolations(
  limit: number,
  used: number,
  observations: Observation[],
  { lossy = false } = {},
): Violation[] {
  const charged = observations.filter(
    (observation) => observation.call.cost > 0 && observation.status === observation.call.expectedStatus,
  )
  const acknowledged = charged.reduce((sum, observation) => sum + observation.call.cost, 0)
  const unknown = observations
    .filter((observation) => isIndeterminate(observation))
    .reduce((sum, observation) => sum + observation.call.cost, 0)
  const violations: Violation[] = []
  if (acknowledged > limit)
    violations.push({ invariant: INVARIANTS.I1, text: `${acknowledged} of ${limit}`, units: acknowledged - limit })
  const discrepancy = Math.max(acknowledged - used, used - acknowledged - unknown)
  if (discrepancy > 0)
    violations.push({
      invariant: INVARIANTS.I2,
      text: `${acknowledged} acknowledged, ${unknown} unknown, ${used} used`,
      units: discrepancy,
    })
  return [
    ...violations,
    ...observations
      .filter((observation) => !(lossy && isIndeterminate(observation)))
      .flatMap((observation) => statusViolations(observation)),
    ...sequenceViolations(limit, used, charged, unknown),
    ...observations.flatMap((observation) => quotaViolations(limit, observation)),
    ...monotonicityViolations(observations),
    ...rejectionViolations(limit, used, charged, observations, unknown),
  ]
}

function statusViolations({ call, status }: Observation): Violation[] {
  const expected = call.cost > 0 ? [call.expectedStatus, 429] : [call.expectedStatus]
  if (expected.includes(status)) return []
  return [
    { invariant: status === 503 ? INVARIANTS.overload : INVARIANTS.status, text: `${call.name} returned ${status}` },
  ]
}

/**
 * A charge of cost c that reports r remaining consumed the numbers r + 1 … r + c: together they must be limit … limit −
 * used + 1, each exactly once. Only indeterminate charges may be missing, which I2 counts.
 */
function sequenceViolations(limit: number, used: number, charged: Observation[], unknown: number): Violation[] {
  const violations: Violation[] = []
  const consumed = charged.map(({ call, remaining = Number.NaN }) => ({
    from: remaining + call.cost,
    to: remaining,
    call,
  }))
  consumed.sort((a, b) => b.from - a.from || b.to - a.to)
  let next = limit
  for (const { from, to, call } of consumed) {
    if (from > next)
      violations.push({
        invariant: INVARIANTS.duplicates,
        text: `${call.name} consumed ${from}…${to + 1}, expected at most ${next}`,
      })
    if (from < next - unknown)
      violations.push({ invariant: INVARIANTS.gaps, text: `${call.name} consumed ${from}, expected ${next}` })
    next = Math.min(next, to)
  }
  if (next < limit - used || next > limit - used + unknown)
    violations.push({ invariant: INVARIANTS.I5, text: `last remaining ${next}, limit − used ${limit - used}` })
  return violations
}

function quotaViolations(limit: number, observation: Observation): Violation[] {
  if (observation.status === 401 || isIndeterminate(observation)) return []
  const { remaining = -1, metaRemaining, status, call } = observation
  const wrong = (text: string) => [{ invariant: INVARIANTS.I5, text: `${call.name} (${status}): ${text}` }]
  if (observation.limit !== limit) return wrong(`limit ${observation.limit}, expected ${limit}`)
  if (remaining < 0 || remaining > limit) return wrong(`remaining ${remaining}`)
  return status === 200 && metaRemaining !== remaining ? wrong(`meta ${metaRemaining}, header ${remaining}`) : []
}

/**
 * A request sent after a response was received reports no more remaining than that response, and less if it was
 * charged.
 */
function monotonicityViolations(observations: Observation[]): Violation[] {
  const withQuota = observations.filter((observation) => observation.remaining !== undefined)
  const byReceivedAt = withQuota.toSorted((a, b) => a.receivedAt - b.receivedAt)
  const violations: Violation[] = []
  let lowest = Infinity
  let received = 0
  for (const observation of withQuota.toSorted((a, b) => a.sentAt - b.sentAt)) {
    for (; received < byReceivedAt.length && byReceivedAt[received]!.receivedAt < observation.sentAt; received++)
      lowest = Math.min(lowest, byReceivedAt[received]!.remaining!)
    const cost = observation.status === observation.call.expectedStatus ? observation.call.cost : 0
    if (observation.remaining! > lowest - cost)
      violations.push({
        invariant: INVARIANTS.I4,
        text: `${observation.call.name} (${observation.status}) reported ${observation.remaining} remaining after ${lowest}`,
      })
  }
  return violations
}

/** A rejection must report a remaining value that occurred that day and that the request's cost exceeds. */
function rejectionViolations(
  limit: number,
  used: number,
  charged: Observation[],
  observations: Observation[],
  unknown: number,
): Violation[] {
  const states = new Set([limit, ...charged.map((observation) => observation.remaining)])
  return observations.flatMap(({ call, status, remaining = -1 }): Violation[] => {
    if (status === call.expectedStatus || status !== 429) return []
    if (remaining >= call.cost || limit - used >= call.cost)
      return [
        {
          invariant: INVARIANTS.under,
          text: `${call.name} rejected at ${remaining} remaining; ${limit - used} remained at the end`,
        },
      ]
    return unknown > 0 || states.has(remaining)
      ? []
      : [
          {
            invariant: INVARIANTS.I5,
            text: `${call.name} rejected at ${remaining} remaining, a value that never occurred`,
          },
        ]
  })
}
