import { setTimeout as sleep } from 'node:timers/promises'
import type { Observation } from './admission/invariants.ts'
import { randomCall, get, type Call, type CallContext, type LimitedKey } from './admission/calls.ts'
import { createUnlimitedKeys } from './admission/observe.ts'
import { countStaleNodes } from '../../support/api-node.ts'
import { reconcileCharges } from '../harness/reconcile-charges.ts'
import { pauseMutants } from './postgres-freeze/mutants.ts'
import { atLeast, none, atMost, type Scenario, type ScenarioContext, type ScenarioResult } from '../harness/scenario.ts'
import { HealthProber } from '../harness/health-prober.ts'
import { SeededRandom } from '../harness/random.ts'
import type { TestEnvironment } from '../harness/test-environment.ts'
import { TrafficGenerator } from '../harness/traffic-generator.ts'

const HANGS_AFTER_MS = 2000
const NORMAL_WITHIN_S = 5
const BASELINE_SECONDS = 4
/** After SIGSTOP, the response to a charge committed just before may still be on its way to the client. */
const IN_FLIGHT_MS = 250

/** PostgreSQL freezes under load: no request waits long, and afterwards the service fully recovers. */
export const postgresFreeze = {
  name: 'postgres-freeze',
  summary:
    'freezes PostgreSQL with SIGSTOP under load: no response over 2 s, recovered ≤ 5 s after SIGCONT, no credit lost',
  options: {
    nodes: { default: 2, description: 'API processes' },
    clients: { default: 32, description: 'requests in flight' },
    rate: { default: 200, description: 'requests per second' },
    keys: { default: 100, description: 'keys used before and after the freeze' },
    seconds: { default: 10, description: 'duration of the freeze in seconds' },
  },
  mutantOptions: { seconds: 6 },
  dedicatedPostgres: true,
  mutants: pauseMutants,
  run,
} satisfies Scenario

async function run({ seed, options, openEnvironment, log }: ScenarioContext): Promise<ScenarioResult> {
  const { nodes = 1, clients = 1, rate = 1, keys: count = 1, seconds = 1 } = options
  const environment = await openEnvironment({ nodes, synchronousCommit: true, maxSeconds: 120 + seconds })
  const random = new SeededRandom(seed)
  const choice = { random, nodes, sets: environment.market.sets.slice(0, 50).map((set) => set.set_number) }
  const steadyKeys = await createUnlimitedKeys(environment, count)
  // Separate keys during the freeze: a rejected call may or may not have been charged, which could hide a double charge
  // on the same key.
  const keysDuringFreeze = await createUnlimitedKeys(environment, count)
  const uncachedKeys = await createUnlimitedKeys(environment, clients * seconds)
  await warmKeyCache(environment, keysDuringFreeze)

  let frozen = false
  const next = () => callOf(frozen ? pick(random, uncachedKeys, keysDuringFreeze) : random.pick(steadyKeys), choice)
  const ports = environment.nodes.map((node) => node.port)
  const prober = new HealthProber(environment.nodes)
  const traffic = new TrafficGenerator(ports, { next, clients, rate, retries: false })
  await sleep(BASELINE_SECONDS * 1000)
  log('PostgreSQL is frozen')
  frozen = true
  await environment.postgres!.pause()
  const stoppedAt = performance.now()
  await sleep(seconds * 1000)
  environment.postgres!.resume()
  const resumedAt = performance.now()
  frozen = false
  log('PostgreSQL is running again')
  await sleep((NORMAL_WITHIN_S + BASELINE_SECONDS) * 1000)
  const observations = await traffic.stop()
  const busyMs = await prober.stop()
  const lookedUp = clients * seconds - uncachedKeys.length
  const stale = await countStaleNodes(environment.nodes)
  return report({
    observations,
    stoppedAt,
    resumedAt,
    busyMs,
    lookedUp,
    stale,
    balance: reconcileCharges(observations, await environment.creditsUsed()),
  })
}

/** Makes every node cache these keys. */
async function warmKeyCache(environment: TestEnvironment, keys: LimitedKey[]): Promise<void> {
  for (const { key } of keys) {
    const headers = { authorization: `Bearer ${key}` }
    const requests = environment.nodes.map((node) => fetch(`${node.origin}/api/v1/catalog/themes?x=1`, { headers }))
    for (const response of await Promise.all(requests)) await response.text()
  }
}

/** Every third caller uses a key that must be looked up first. */
function pick(random: SeededRandom, uncachedKeys: LimitedKey[], cachedKeys: LimitedKey[]): LimitedKey {
  return (random.next() < 0.33 ? uncachedKeys.pop() : undefined) ?? random.pick(cachedKeys)
}

/** A third of the calls read private rows, which need the database for more than the charge. */
function callOf(key: LimitedKey, callContext: CallContext): Call {
  return callContext.random.next() < 0.33 ? get(key, callContext, '/brickfolio', 1, 200) : randomCall(key, callContext)
}

type Outcome = {
  observations: Observation[]
  stoppedAt: number
  resumedAt: number
  busyMs: number
  /** Keys first used while PostgreSQL was frozen. */
  lookedUp: number
  stale: number
  balance: ReturnType<typeof reconcileCharges>
}

function report({ observations, stoppedAt, resumedAt, busyMs, lookedUp, stale, balance }: Outcome): ScenarioResult {
  const duration = (observation: Observation) => observation.receivedAt - observation.sentAt
  const rejected = observations.filter((observation) => observation.status === 503)
  const unexpected = observations.filter(
    (observation) =>
      observation.status !== observation.call.expectedStatus &&
      !(observation.status === 503 && observation.retryAfter! > 0),
  )
  const timedOut = observations.filter((observation) => duration(observation) > HANGS_AFTER_MS + busyMs)
  const charged = observations.filter(
    (observation) => observation.call.cost > 0 && observation.status === observation.call.expectedStatus,
  )
  const between = (all: Observation[], from: number, to: number) =>
    all.filter((observation) => observation.receivedAt >= from && observation.receivedAt < to).length
  const firstCharge = Math.min(
    ...charged.map((observation) => observation.receivedAt).filter((time) => time > resumedAt),
  )
  const normalAt = Math.max(firstCharge, resumedAt, ...rejected.map((observation) => observation.receivedAt))
  const end = Math.max(...observations.map((observation) => observation.receivedAt))
  const before = between(charged, stoppedAt - BASELINE_SECONDS * 1000, stoppedAt)
  const after = between(charged, end - BASELINE_SECONDS * 1000, end)
  return {
    checks: [
      none('responses over 2 s plus a health check', timedOut.length),
      none('responses other than success and 503 with Retry-After', unexpected.length),
      none('rejections before the freeze', between(rejected, 0, stoppedAt)),
      none('charges during the freeze', between(charged, stoppedAt + IN_FLIGHT_MS, resumedAt)),
      atMost('recovered, s after SIGCONT', NORMAL_WITHIN_S, round((normalAt - resumedAt) / 1000)),
      atLeast('throughput after recovery, % of before', 70, Math.round((after / Math.max(1, before)) * 100)),
      none('acknowledged credits lost', balance.lost),
      none('credits charged without a response', balance.unaccounted),
      none('duplicate remaining values', balance.duplicates),
      none('API processes with a stale catalog at the end', stale),
      atLeast('rejections during the freeze', 20, between(rejected, stoppedAt, resumedAt)),
      atLeast('keys first used during the freeze', 5, lookedUp),
    ],
    measurements: {
      requests: observations.length,
      'credits acknowledged': balance.acknowledged,
      rejected: rejected.length,
      'slowest response, ms': Math.round(Math.max(...observations.map(duration))),
      'slowest health check, ms': busyMs,
    },
    failures: [...unexpected, ...timedOut].slice(0, 12).map(describe),
  }
}

function describe(observation: Observation): string {
  const after = Math.round(observation.receivedAt - observation.sentAt)
  return `${observation.call.name} of key ${observation.call.key.keyId} returned ${observation.status} after ${after} ms ${observation.error ?? ''}`
}

function round(seconds: number): number {
  return Math.round(seconds * 10) / 10
}
