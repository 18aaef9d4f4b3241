import type { Observation } from './admission/invariants.ts'
import { randomCall, get, type Call, type CallContext, type LimitedKey } from './admission/calls.ts'
import { createUnlimitedKeys } from './admission/observe.ts'
import { countStaleNodes } from '../support/api-node.ts'
import { reconcileCharges } from './reconcile-charges.ts'
import { pauseMutants } from './postgres-freeze/mutants.ts'
import { atLeast, none, atMost, type Scenario, type ScenarioContext, type ScenarioResult } from './scenario.ts'
import { HealthProber } from './health-prober.ts'
import { SeededRandom } from './random.ts'
import type { TestEnvironment } from './test-environment.ts'
import { TrafficGenerator } from './traffic-generator.ts'

const HANGS_AFTER_MS = 2000
const NORMAL_WITHIN_S = 5
const BASELINE_SECONDS = 4
/** After SIGSTOP a charge that was committed just before may still be on its way to the caller. */
const IN_FLIGHT_MS = 250

/** T9: PostgreSQL stands still under load: nobody waits for long, and afterwards everything is as before. */
export const pause: Scenario = {
  name: 'postgres-freeze',
  covers: ['T9'],
  summary:
    'stops PostgreSQL with SIGSTOP under load: no answer takes over 2 s, normal ≤ 5 s after SIGCONT, no unit lost',
  options: {
    nodes: { default: 2, description: 'api processes' },
    clients: { default: 32, description: 'requests under way at once' },
    rate: { default: 200, description: 'requests a second' },
    keys: { default: 100, description: 'keys that are asked with before and after' },
    seconds: { default: 10, description: 'how long PostgreSQL stands still' },
  },
  mutantOptions: { seconds: 6 },
  dedicatedPostgres: true,
  mutants: pauseMutants,
  run,
}

async function run({ seed, options, openEnvironment: openStage, log }: ScenarioContext): Promise<ScenarioResult> {
  const { nodes = 1, clients = 1, rate = 1, keys: count = 1, seconds = 1 } = options
  const stage = await openStage({ nodes, synchronousCommit: true, maxSeconds: 120 + seconds })
  const random = new SeededRandom(seed)
  const choice = { random, nodes, sets: stage.market.sets.slice(0, 50).map((set) => set.set_number) }
  const steadyKeys = await createUnlimitedKeys(stage, count)
  // Keys of the pause only: a refused call may have been charged or not, which would hide a double charge of another.
  const keysDuringFreeze = await createUnlimitedKeys(stage, count)
  const uncachedKeys = await createUnlimitedKeys(stage, clients * seconds)
  await warmKeyCache(stage, keysDuringFreeze)

  let frozen = false
  const next = () => callOf(frozen ? pick(random, uncachedKeys, keysDuringFreeze) : random.pick(steadyKeys), choice)
  const ports = stage.nodes.map((node) => node.port)
  const pulse = new HealthProber(stage.nodes)
  const traffic = new TrafficGenerator(ports, { next, clients, rate, retries: false })
  await sleep(BASELINE_SECONDS)
  log('PostgreSQL stands still')
  frozen = true
  await stage.postgres!.pause()
  const stoppedAt = performance.now()
  await sleep(seconds)
  stage.postgres!.resume()
  const resumedAt = performance.now()
  frozen = false
  log('PostgreSQL goes on')
  await sleep(NORMAL_WITHIN_S + BASELINE_SECONDS)
  const seen = await traffic.stop()
  const busyMs = await pulse.stop()
  const asked = clients * seconds - uncachedKeys.length
  const stale = await countStaleNodes(stage.nodes)
  return report({
    seen,
    stoppedAt,
    resumedAt,
    busyMs,
    asked,
    stale,
    balance: reconcileCharges(seen, await stage.creditsUsed()),
  })
}

/** Every node comes to know these keys. */
async function warmKeyCache(stage: TestEnvironment, keys: LimitedKey[]): Promise<void> {
  for (const { key } of keys) {
    const headers = { authorization: `Bearer ${key}` }
    const asked = stage.nodes.map((node) => fetch(`${node.origin}/api/v1/catalog/themes?x=1`, { headers }))
    for (const answer of await Promise.all(asked)) await answer.text()
  }
}

/** Every third caller is one whose key must be looked up first. */
function pick(random: SeededRandom, uncachedKeys: LimitedKey[], known: LimitedKey[]): LimitedKey {
  return (random.next() < 0.33 ? uncachedKeys.pop() : undefined) ?? random.pick(known)
}

/** A third of the calls read private rows: they need the database for more than the charge. */
function callOf(key: LimitedKey, choice: CallContext): Call {
  return choice.random.next() < 0.33 ? get(key, choice, '/brickfolio', 1, 200) : randomCall(key, choice)
}

type Outcome = {
  seen: Observation[]
  stoppedAt: number
  resumedAt: number
  busyMs: number
  /** Keys that were first asked with while PostgreSQL stood still. */
  asked: number
  stale: number
  balance: ReturnType<typeof reconcileCharges>
}

function report({ seen, stoppedAt, resumedAt, busyMs, asked, stale, balance }: Outcome): ScenarioResult {
  const took = (one: Observation) => one.receivedAt - one.sentAt
  const refused = seen.filter((one) => one.status === 503)
  const unexpected = seen.filter(
    (one) => one.status !== one.call.expectedStatus && !(one.status === 503 && one.retryAfter! > 0),
  )
  const timedOut = seen.filter((one) => took(one) > HANGS_AFTER_MS + busyMs)
  const charged = seen.filter((one) => one.call.cost > 0 && one.status === one.call.expectedStatus)
  const between = (all: Observation[], from: number, to: number) =>
    all.filter((one) => one.receivedAt >= from && one.receivedAt < to).length
  const firstCharge = Math.min(...charged.map((one) => one.receivedAt).filter((at) => at > resumedAt))
  const normalAt = Math.max(firstCharge, resumedAt, ...refused.map((one) => one.receivedAt))
  const end = Math.max(...seen.map((one) => one.receivedAt))
  const before = between(charged, stoppedAt - BASELINE_SECONDS * 1000, stoppedAt)
  const after = between(charged, end - BASELINE_SECONDS * 1000, end)
  return {
    checks: [
      none('answers that took over 2 s, and a health check', timedOut.length),
      none('answers other than success and 503 with Retry-After', unexpected.length),
      none('refusals before', between(refused, 0, stoppedAt)),
      none('charges while PostgreSQL stood still', between(charged, stoppedAt + IN_FLIGHT_MS, resumedAt)),
      atMost('normal again, seconds after SIGCONT', NORMAL_WITHIN_S, round((normalAt - resumedAt) / 1000)),
      atLeast('served in the last seconds, in % of before', 70, Math.round((after / Math.max(1, before)) * 100)),
      none('acknowledged units lost', balance.lost),
      none('units used that no answer explains', balance.unaccounted),
      none('numbers given out twice', balance.duplicates),
      none('api processes with a stale catalog in the end', stale),
      atLeast('refusals while PostgreSQL stood still', 20, between(refused, stoppedAt, resumedAt)),
      atLeast('keys first seen while PostgreSQL stood still', 5, asked),
    ],
    measurements: {
      requests: seen.length,
      'units acknowledged': balance.acknowledged,
      refused: refused.length,
      'slowest answer, ms': Math.round(Math.max(...seen.map(took))),
      'slowest health check, ms': busyMs,
    },
    failures: [...unexpected, ...timedOut].slice(0, 12).map(describe),
  }
}

function describe(one: Observation): string {
  const after = Math.round(one.receivedAt - one.sentAt)
  return `${one.call.name} of key ${one.call.key.keyId} answered ${one.status} after ${after} ms ${one.error ?? ''}`
}

function round(seconds: number): number {
  return Math.round(seconds * 10) / 10
}

function sleep(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000))
}
