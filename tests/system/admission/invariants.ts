import type { Call } from './calls.ts'

/** A request that was made, and what was said about the quota in its answer. */
export type Observation = {
  call: Call
  /** 0 when no answer came. */
  status: number
  /** Why no answer came. */
  error: string | undefined
  sentAt: number
  receivedAt: number
  limit: number | undefined
  remaining: number | undefined
  reset: string | undefined
  retryAfter: number | undefined
  /** By the clock of the node. */
  date: string | undefined
  /** `remaining` of the body, of a 200. */
  metaRemaining: number | undefined
}

export type Violation = { invariant: string; text: string; units?: number }

export const INVARIANTS = {
  I1: 'I1 over-admitted units',
  I2: 'I2 units used but not acknowledged, or lost',
  duplicates: 'I3 numbers given out twice',
  gaps: 'I3 numbers never given out',
  I4: 'I4 remaining rose',
  I5: 'I5 header, meta and limit − used differ',
  I6: 'I6 units moved by a refusal',
  I7: 'I7 batches that moved by neither N nor 0',
  under: 'under-admission: refused though it fitted',
  status: 'unexpected statuses',
} as const

/** Whether nobody can know if it was charged: no answer came, or the node had lost the database's. */
export function isIndeterminate({ status }: Observation): boolean {
  return status === 0 || status === 503
}

/**
 * Everything that one key's day breaks, given what the database says was used in the end. Answers may be lost only
 * where something was killed; then what was charged for them lies between nothing and all.
 */
export function findViolations(
  limit: number,
  used: number,
  sightings: Observation[],
  { lossy = false } = {},
): Violation[] {
  const charged = sightings.filter(
    (sighting) => sighting.call.cost > 0 && sighting.status === sighting.call.expectedStatus,
  )
  const acknowledged = charged.reduce((sum, one) => sum + one.call.cost, 0)
  const unknown = sightings
    .filter((sighting) => isIndeterminate(sighting))
    .reduce((sum, sighting) => sum + sighting.call.cost, 0)
  const broken: Violation[] = []
  if (acknowledged > limit)
    broken.push({ invariant: INVARIANTS.I1, text: `${acknowledged} of ${limit}`, units: acknowledged - limit })
  const discrepancy = Math.max(acknowledged - used, used - acknowledged - unknown)
  if (discrepancy > 0)
    broken.push({
      invariant: INVARIANTS.I2,
      text: `${acknowledged} acknowledged, ${unknown} unknown, ${used} used`,
      units: discrepancy,
    })
  return [
    ...broken,
    ...sightings
      .filter((sighting) => !(lossy && isIndeterminate(sighting)))
      .flatMap((sighting) => statusViolations(sighting)),
    ...sequenceViolations(limit, used, charged, unknown),
    ...sightings.flatMap((sighting) => quotaViolations(limit, sighting)),
    ...monotonicityViolations(sightings),
    ...rejectionViolations(limit, used, charged, sightings, unknown),
  ]
}

function statusViolations({ call, status }: Observation): Violation[] {
  const expected = call.cost > 0 ? [call.expectedStatus, 429] : [call.expectedStatus]
  return expected.includes(status) ? [] : [{ invariant: INVARIANTS.status, text: `${call.name} answered ${status}` }]
}

/**
 * A charge of price p that left r took the numbers r + 1 … r + p: all must be limit … limit − used + 1, each once. Only
 * unknown charges may be missing, which I2 counts.
 */
function sequenceViolations(limit: number, used: number, charged: Observation[], unknown: number): Violation[] {
  const broken: Violation[] = []
  const takes = charged.map(({ call, remaining = Number.NaN }) => ({
    from: remaining + call.cost,
    to: remaining,
    call,
  }))
  takes.sort((a, b) => b.from - a.from || b.to - a.to)
  let next = limit
  for (const { from, to, call } of takes) {
    if (from > next)
      broken.push({ invariant: INVARIANTS.duplicates, text: `${call.name} took ${from}…${to + 1}, ${next} was next` })
    if (from < next - unknown)
      broken.push({ invariant: INVARIANTS.gaps, text: `${call.name} took ${from}, ${next} was next` })
    next = Math.min(next, to)
  }
  if (next < limit - used || next > limit - used + unknown)
    broken.push({ invariant: INVARIANTS.I5, text: `last remaining ${next}, limit − used ${limit - used}` })
  return broken
}

function quotaViolations(limit: number, sighting: Observation): Violation[] {
  if (sighting.status === 401 || isIndeterminate(sighting)) return []
  const { remaining = -1, metaRemaining, status, call } = sighting
  const wrong = (text: string) => [{ invariant: INVARIANTS.I5, text: `${call.name} (${status}): ${text}` }]
  if (sighting.limit !== limit) return wrong(`limit ${sighting.limit}, not ${limit}`)
  if (remaining < 0 || remaining > limit) return wrong(`remaining ${remaining}`)
  return status === 200 && metaRemaining !== remaining ? wrong(`meta ${metaRemaining}, header ${remaining}`) : []
}

/** Who asks after an answer has come sees no more left than that answer said, and less if charged. */
function monotonicityViolations(sightings: Observation[]): Violation[] {
  const withQuota = sightings.filter((sighting) => sighting.remaining !== undefined)
  const byAnswer = withQuota.toSorted((a, b) => a.receivedAt - b.receivedAt)
  const broken: Violation[] = []
  let least = Infinity
  let seen = 0
  for (const one of withQuota.toSorted((a, b) => a.sentAt - b.sentAt)) {
    for (; seen < byAnswer.length && byAnswer[seen]!.receivedAt < one.sentAt; seen++)
      least = Math.min(least, byAnswer[seen]!.remaining!)
    const price = one.status === one.call.expectedStatus ? one.call.cost : 0
    if (one.remaining! > least - price)
      broken.push({
        invariant: INVARIANTS.I4,
        text: `${one.call.name} (${one.status}) left ${one.remaining} after ${least}`,
      })
  }
  return broken
}

/** A refusal must name a state that the day was in, in which its price did not fit. */
function rejectionViolations(
  limit: number,
  used: number,
  charged: Observation[],
  sightings: Observation[],
  unknown: number,
): Violation[] {
  const states = new Set([limit, ...charged.map((one) => one.remaining)])
  return sightings.flatMap(({ call, status, remaining = -1 }): Violation[] => {
    if (status === call.expectedStatus || status !== 429) return []
    if (remaining >= call.cost || limit - used >= call.cost)
      return [
        {
          invariant: INVARIANTS.under,
          text: `${call.name} refused at ${remaining}, in the end ${limit - used} were left`,
        },
      ]
    return unknown > 0 || states.has(remaining)
      ? []
      : [{ invariant: INVARIANTS.I5, text: `${call.name} refused at ${remaining}, which never was` }]
  })
}
