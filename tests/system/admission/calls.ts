import type { TestAccount } from '../../support/fixtures.ts'
import type { ClientRequest } from '../../support/http-client.ts'
import type { SeededRandom } from '../random.ts'

export type LimitedKey = TestAccount & { limit: number }

/** One request, what it costs when it is answered, and which statuses answer it. */
export type Call = {
  key: LimitedKey
  node: number
  cost: number
  expectedStatus: number
  request: ClientRequest
  name: string
}

export type CallContext = { random: SeededRandom; nodes: number; sets: string[] }

/** How far over its limit a key is asked. */
const OVERSUBSCRIPTION = 3
const KEYS_AT_ONCE = 12

/**
 * Requests for about three times what every key may have. A few keys at a time get all of them, from every client over
 * every node, because a key that is asked by one client at a time meets no race.
 */
export function planCalls(keys: LimitedKey[], choice: CallContext): Call[] {
  const { random } = choice
  const waiting = random.shuffle(keys)
  const calls: Call[] = []
  while (waiting.length > 0) {
    const keysInBurst = waiting.splice(0, random.int(1, KEYS_AT_ONCE))
    calls.push(...random.shuffle(keysInBurst.flatMap((key) => callsExceedingLimit(key, choice))))
  }
  return calls
}

function callsExceedingLimit(key: LimitedKey, choice: CallContext): Call[] {
  const calls: Call[] = []
  for (let units = 0; units < OVERSUBSCRIPTION * key.limit;) {
    const call = randomCall(key, choice)
    calls.push(call)
    units += call.cost
  }
  return calls
}

/** By chance: mostly single sets, some batches, and some of everything that costs nothing. */
export function randomCall(key: LimitedKey, choice: CallContext): Call {
  const roll = choice.random.next()
  if (roll < 0.66) return get(key, choice, `/set/${choice.random.pick(choice.sets)}`, 1, 200)
  if (roll < 0.72) return get(key, choice, '/set/no-such-set', 1, 404)
  if (roll < 0.75) return get(key, choice, '/brickfolio', 1, 200)
  if (roll < 0.9) return batch(key, choice, choice.random.int(2, 100))
  return freeCall(key, choice)
}

/** A request that is refused or finds no route, and must cost nothing. */
export function freeCall(key: LimitedKey, choice: CallContext): Call {
  const roll = choice.random.next()
  if (roll < 0.5) return get(key, choice, '/catalog/themes?bogus=1', 0, 400)
  if (roll < 0.7) return { ...batch(key, choice, 101), cost: 0, expectedStatus: 400, name: 'batch too large' }
  if (roll < 0.9) return get(key, choice, '/no/such/route', 0, 404)
  return {
    ...get(key, choice, '/catalog/themes', 0, 401),
    request: { method: 'GET', target: '/api/v1/catalog/themes', headers: {} },
  }
}

/** One GET, by chance over the nodes. */
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

/** `count` different numbers, a few of them of sets that exist, and some twice: those are charged once. */
export function batch(key: LimitedKey, { random, nodes, sets }: CallContext, count: number): Call {
  const real = random.shuffle(sets).slice(0, random.int(0, Math.min(3, count)))
  const unreal = Array.from({ length: count - real.length }, (_, index) => `no-${index}`)
  const numbers = random.shuffle([...real, ...unreal, ...unreal.slice(0, random.int(0, 3))])
  const headers = { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' }
  const request = { method: 'POST', target: '/api/v1/catalog/batch', headers, body: JSON.stringify({ sets: numbers }) }
  return { key, node: random.int(0, nodes - 1), cost: count, expectedStatus: 200, request, name: `batch of ${count}` }
}
