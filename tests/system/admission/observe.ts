import type { Answer } from '../../support/openapi-contract.ts'
import type { Client } from '../../support/http-client.ts'
import type { Stage } from '../test-environment.ts'
import type { SeededRandom } from '../random.ts'
import type { Sighting } from './invariants.ts'
import type { Call, LimitedKey } from './calls.ts'

export const LIMITS = { least: 20, most: 300 }

export async function makeKeys(stage: Stage, random: SeededRandom, count: number): Promise<LimitedKey[]> {
  const keys: LimitedKey[] = []
  for (let place = 0; place < count; place++) {
    const limit = random.int(LIMITS.least, LIMITS.most)
    keys.push({ ...(await stage.account({ limit })), limit })
  }
  return keys
}

const PLENTY = 100_000_000

/** Keys that no proof exhausts. */
export async function makeRichKeys(stage: Stage, count: number): Promise<LimitedKey[]> {
  const keys: LimitedKey[] = []
  for (let place = 0; place < count; place++) keys.push({ ...(await stage.account({ limit: PLENTY })), limit: PLENTY })
  return keys
}

/** So many clients take one call after another from the plan. */
export async function play(plan: Call[], clients: number, ask: (call: Call) => Promise<Sighting>): Promise<Sighting[]> {
  const sightings: Sighting[] = []
  const waiting = plan.values()
  async function client(): Promise<void> {
    for (const call of waiting) sightings.push(await ask(call))
  }
  await Promise.all(Array.from({ length: clients }, client))
  return sightings
}

const UNANSWERED: Answer = { status: 0, headers: {}, text: '' }

/** Makes the call and notes what its answer says about the quota; status 0 when none came. */
export async function sight(call: Call, client: Client): Promise<Sighting> {
  const sentAt = performance.now()
  const { answer = UNANSWERED, problem } = await client.ask(call.ask)
  const gotAt = performance.now()
  const number = (name: string) => (answer.headers[name] === undefined ? undefined : Number(answer.headers[name]))
  const metaRemaining =
    answer.status === 200
      ? (JSON.parse(answer.text) as { meta: { rate_limit: { remaining: number } } }).meta.rate_limit.remaining
      : undefined
  return {
    call,
    status: answer.status,
    problem,
    sentAt,
    gotAt,
    limit: number('x-ratelimit-limit'),
    remaining: number('x-ratelimit-remaining'),
    reset: answer.headers['x-ratelimit-reset'],
    retryAfter: number('retry-after'),
    date: answer.headers['date'],
    metaRemaining,
  }
}
