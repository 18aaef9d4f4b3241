import type { HttpResponse } from '../../../support/openapi-contract.ts'
import type { Client } from '../../../support/http-client.ts'
import type { TestEnvironment } from '../../harness/test-environment.ts'
import type { SeededRandom } from '../../harness/random.ts'
import type { Observation } from './invariants.ts'
import type { Call, LimitedKey } from './calls.ts'

export const LIMIT_RANGE = { least: 20, most: 300 }

export async function createKeys(
  environment: TestEnvironment,
  random: SeededRandom,
  count: number,
): Promise<LimitedKey[]> {
  const keys: LimitedKey[] = []
  for (let index = 0; index < count; index++) {
    const limit = random.int(LIMIT_RANGE.least, LIMIT_RANGE.most)
    keys.push({ ...(await environment.createAccount({ limit })), limit })
  }
  return keys
}

const UNLIMITED = 100_000_000

/** Creates keys that no scenario exhausts. */
export async function createUnlimitedKeys(environment: TestEnvironment, count: number): Promise<LimitedKey[]> {
  const keys: LimitedKey[] = []
  for (let index = 0; index < count; index++)
    keys.push({ ...(await environment.createAccount({ limit: UNLIMITED })), limit: UNLIMITED })
  return keys
}

/** Runs the plan's calls in order, with `clients` of them in flight. */
export async function runCalls(
  plan: Call[],
  clients: number,
  send: (call: Call) => Promise<Observation>,
): Promise<Observation[]> {
  const observations: Observation[] = []
  const pending = plan.values()
  async function client(): Promise<void> {
    for (const call of pending) observations.push(await send(call))
  }
  await Promise.all(Array.from({ length: clients }, client))
  return observations
}

const NO_RESPONSE: HttpResponse = { status: 0, headers: {}, text: '' }

/** Sends the call and records the quota its response reports; the status is 0 if there was no response. */
export async function observe(call: Call, client: Client): Promise<Observation> {
  const sentAt = performance.now()
  const { response = NO_RESPONSE, error } = await client.request(call.request)
  const receivedAt = performance.now()
  const number = (name: string) => (response.headers[name] === undefined ? undefined : Number(response.headers[name]))
  const metaRemaining =
    response.status === 200
      ? (JSON.parse(response.text) as { meta: { rate_limit: { remaining: number } } }).meta.rate_limit.remaining
      : undefined
  return {
    call,
    status: response.status,
    error,
    sentAt,
    receivedAt,
    limit: number('x-ratelimit-limit'),
    remaining: number('x-ratelimit-remaining'),
    reset: response.headers['x-ratelimit-reset'],
    retryAfter: number('retry-after'),
    date: response.headers['date'],
    metaRemaining,
  }
}
