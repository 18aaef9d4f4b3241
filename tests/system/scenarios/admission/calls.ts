import type { TestAccount } from '../../../support/fixtures.ts'
import type { ClientRequest } from '../../../support/http-client.ts'
import type { SeededRandom } from '../../harness/random.ts'

export type LimitedKey = TestAccount & { limit: number }

/** A request, its cost when it succeeds, and the status that counts as success. */
export type Call = {
  key: LimitedKey
  node: number
  cost: number
  expectedStatus: number
  request: ClientRequest
  name: string
}

export type CallContext = { random: SeededRandom; nodes: number; sets: string[] }

/** How many times its limit each key requests. */
const OVERSUBSCRIPTION = 3
const KEYS_AT_ONCE = 12

/**
 * Plans calls for about three times every key's limit. Each burst sends all calls of a few keys, from every client
 * across every node, because a key used by a single client at a time never hits a race.
 */
export function planCalls(keys: LimitedKey[], callContext: CallContext): Call[] {
  const { random } = callContext
  const pending = random.shuffle(keys)
  const calls: Call[] = []
  while (pending.length > 0) {
    const keysInBurst = pending.splice(0, random.int(1, KEYS_AT_ONCE))
    calls.push(...random.shuffle(keysInBurst.flatMap((key) => callsExceedingLimit(key, callContext))))
  }
  return calls
}

function callsExceedingLimit(key: LimitedKey, callContext: CallContext): Call[] {
  const calls: Call[] = []
  for (let units = 0; units < OVERSUBSCRIPTION * key.limit;) {
    const call = randomCall(key, callContext)
    calls.push(call)
    units += call.cost
  }
  return calls
}

/** Returns a random call: mostly single sets, some batches, and some of everything that is free. */
export function randomCall(key: LimitedKey, callContext: CallContext): Call {
  const roll = callContext.random.next()
  if (roll < 0.66) return get(key, callContext, `/set/${callContext.random.pick(callContext.sets)}`, 1, 200)
  if (roll < 0.72) return get(key, callContext, '/set/no-such-set', 1, 404)
  if (roll < 0.75) return get(key, callContext, '/brickfolio', 1, 200)
  if (roll < 0.9) return batch(key, callContext, callContext.random.int(2, 100))
  return freeCall(key, callContext)
}

/** Returns a request that is rejected or matches no route, and must cost nothing. */
export function freeCall(key: LimitedKey, callContext: CallContext): Call {
  const roll = callContext.random.next()
  if (roll < 0.5) return get(key, callContext, '/catalog/themes?bogus=1', 0, 400)
  if (roll < 0.7) return { ...batch(key, callContext, 101), cost: 0, expectedStatus: 400, name: 'batch too large' }
  if (roll < 0.9) return get(key, callContext, '/no/such/route', 0, 404)
  return {
    ...get(key, callContext, '/catalog/themes', 0, 401),
    request: { method: 'GET', target: '/api/v1/catalog/themes', headers: {} },
  }
}

/** Returns a GET to a random node. */
export function get(
  key: LimitedKey,
  { random, nodes }: CallContext,
  path: string,
  cost: number,
  expectedStatus: number,
): Call {
  const request = { method: 'GET', target: `/api/v1${path}`, headers: { authorization: `Bearer ${key.key}` } }
  return { key, node: random.int(0, nodes - 1), cost, expectedStatus, request, name: `GET ${path}` }
}

/**
 * Returns a batch of `count` distinct numbers, up to three of them existing sets, with some duplicates, which are
 * charged once.
 */
export function batch(key: LimitedKey, { random, nodes, sets }: CallContext, count: number): Call {
  const real = random.shuffle(sets).slice(0, random.int(0, Math.min(3, count)))
  const unreal = Array.from({ length: count - real.length }, (_, index) => `no-${index}`)
  const numbers = random.shuffle([...real, ...unreal, ...unreal.slice(0, random.int(0, 3))])
  const headers = { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' }
  const request = { method: 'POST', target: '/api/v1/catalog/batch', headers, body: JSON.stringify({ sets: numbers }) }
  return { key, node: random.int(0, nodes - 1), cost: count, expectedStatus: 200, request, name: `batch of ${count}` }
}
