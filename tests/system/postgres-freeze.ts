import type { Sighting } from './admission/invariants.ts'
import { anyCall, get, type Call, type Choice, type LimitedKey } from './admission/calls.ts'
import { makeRichKeys } from './admission/observe.ts'
import { staleNodes } from '../support/api-node.ts'
import { balance } from './reconcile-charges.ts'
import { pausePlants } from './postgres-freeze/mutants.ts'
import { atLeast, none, within, type Proof, type ProofContext, type ProofResult } from './scenario.ts'
import { Pulse } from './health-prober.ts'
import { SeededRandom } from './random.ts'
import type { Stage } from './test-environment.ts'
import { Traffic } from './traffic-generator.ts'

const HANGS_AFTER_MS = 2000
const NORMAL_WITHIN_S = 5
const CALM_S = 4
/** After SIGSTOP a charge that was committed just before may still be on its way to the caller. */
const ON_THE_WAY_MS = 250

/** T9: PostgreSQL stands still under load: nobody waits for long, and afterwards everything is as before. */
export const pause: Proof = {
  name: 'pause',
  covers: ['T9'],
  summary:
    'stops PostgreSQL with SIGSTOP under load: no answer takes over 2 s, normal ≤ 5 s after SIGCONT, no unit lost',
  options: {
    nodes: { default: 2, what: 'api processes' },
    clients: { default: 32, what: 'requests under way at once' },
    rate: { default: 200, what: 'requests a second' },
    keys: { default: 100, what: 'keys that are asked with before and after' },
    seconds: { default: 10, what: 'how long PostgreSQL stands still' },
  },
  smallLoad: { seconds: 6 },
  ownServer: true,
  plants: pausePlants,
  run,
}

async function run({ seed, options, stage: openStage, say }: ProofContext): Promise<ProofResult> {
  const { nodes = 1, clients = 1, rate = 1, keys: count = 1, seconds = 1 } = options
  const stage = await openStage({ nodes, durable: true, seconds: 120 + seconds })
  const random = new SeededRandom(seed)
  const choice = { random, nodes, sets: stage.market.sets.slice(0, 50).map((set) => set.set_number) }
  const everyday = await makeRichKeys(stage, count)
  // Keys of the pause only: a refused call may have been charged or not, which would hide a double charge of another.
  const meanwhile = await makeRichKeys(stage, count)
  const strangers = await makeRichKeys(stage, clients * seconds)
  await introduce(stage, meanwhile)

  let standsStill = false
  const next = () => callOf(standsStill ? pick(random, strangers, meanwhile) : random.pick(everyday), choice)
  const ports = stage.nodes.map((node) => node.port)
  const pulse = new Pulse(stage.nodes)
  const traffic = new Traffic(ports, { next, clients, rate, retries: false })
  await sleep(CALM_S)
  say('PostgreSQL stands still')
  standsStill = true
  await stage.server!.pause()
  const stoppedAt = performance.now()
  await sleep(seconds)
  stage.server!.resume()
  const resumedAt = performance.now()
  standsStill = false
  say('PostgreSQL goes on')
  await sleep(NORMAL_WITHIN_S + CALM_S)
  const seen = await traffic.stop()
  const busyMs = await pulse.stop()
  const asked = clients * seconds - strangers.length
  const stale = await staleNodes(stage.nodes)
  return report({ seen, stoppedAt, resumedAt, busyMs, asked, stale, balance: balance(seen, await stage.used()) })
}

/** Every node comes to know these keys. */
async function introduce(stage: Stage, keys: LimitedKey[]): Promise<void> {
  for (const { key } of keys) {
    const headers = { authorization: `Bearer ${key}` }
    const asked = stage.nodes.map((node) => fetch(`${node.origin}/api/v1/catalog/themes?x=1`, { headers }))
    for (const answer of await Promise.all(asked)) await answer.text()
  }
}

/** Every third caller is one whose key must be looked up first. */
function pick(random: SeededRandom, strangers: LimitedKey[], known: LimitedKey[]): LimitedKey {
  return (random.next() < 0.33 ? strangers.pop() : undefined) ?? random.pick(known)
}

/** A third of the calls read private rows: they need the database for more than the charge. */
function callOf(key: LimitedKey, choice: Choice): Call {
  return choice.random.next() < 0.33 ? get(key, choice, '/brickfolio', 1, 200) : anyCall(key, choice)
}

type Outcome = {
  seen: Sighting[]
  stoppedAt: number
  resumedAt: number
  busyMs: number
  /** Keys that were first asked with while PostgreSQL stood still. */
  asked: number
  stale: number
  balance: ReturnType<typeof balance>
}

function report({ seen, stoppedAt, resumedAt, busyMs, asked, stale, balance }: Outcome): ProofResult {
  const took = (one: Sighting) => one.gotAt - one.sentAt
  const refused = seen.filter((one) => one.status === 503)
  const odd = seen.filter((one) => one.status !== one.call.success && !(one.status === 503 && one.retryAfter! > 0))
  const hung = seen.filter((one) => took(one) > HANGS_AFTER_MS + busyMs)
  const charged = seen.filter((one) => one.call.price > 0 && one.status === one.call.success)
  const between = (all: Sighting[], from: number, to: number) =>
    all.filter((one) => one.gotAt >= from && one.gotAt < to).length
  const firstCharge = Math.min(...charged.map((one) => one.gotAt).filter((at) => at > resumedAt))
  const normalAt = Math.max(firstCharge, resumedAt, ...refused.map((one) => one.gotAt))
  const end = Math.max(...seen.map((one) => one.gotAt))
  const before = between(charged, stoppedAt - CALM_S * 1000, stoppedAt)
  const after = between(charged, end - CALM_S * 1000, end)
  return {
    goals: [
      none('answers that took over 2 s, and a health check', hung.length),
      none('answers other than success and 503 with Retry-After', odd.length),
      none('refusals before', between(refused, 0, stoppedAt)),
      none('charges while PostgreSQL stood still', between(charged, stoppedAt + ON_THE_WAY_MS, resumedAt)),
      within('normal again, seconds after SIGCONT', NORMAL_WITHIN_S, round((normalAt - resumedAt) / 1000)),
      atLeast('served in the last seconds, in % of before', 70, Math.round((after / Math.max(1, before)) * 100)),
      none('acknowledged units lost', balance.lost),
      none('units used that no answer explains', balance.unexplained),
      none('numbers given out twice', balance.twice),
      none('api processes with a stale catalog in the end', stale),
      atLeast('refusals while PostgreSQL stood still', 20, between(refused, stoppedAt, resumedAt)),
      atLeast('keys first seen while PostgreSQL stood still', 5, asked),
    ],
    figures: {
      requests: seen.length,
      'units acknowledged': balance.acknowledged,
      refused: refused.length,
      'slowest answer, ms': Math.round(Math.max(...seen.map(took))),
      'slowest health check, ms': busyMs,
    },
    failures: [...odd, ...hung].slice(0, 12).map(describe),
  }
}

function describe(one: Sighting): string {
  const after = Math.round(one.gotAt - one.sentAt)
  return `${one.call.name} of key ${one.call.key.keyId} answered ${one.status} after ${after} ms ${one.problem ?? ''}`
}

function round(seconds: number): number {
  return Math.round(seconds * 10) / 10
}

function sleep(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000))
}
