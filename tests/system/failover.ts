import { join } from 'node:path'
import pg from 'pg'
import { randomCall, get, type Call, type CallContext, type LimitedKey } from './admission/calls.ts'
import type { Observation } from './admission/invariants.ts'
import { createUnlimitedKeys } from './admission/observe.ts'
import { countStaleNodes } from '../support/api-node.ts'
import { reconcileCharges } from './reconcile-charges.ts'
import { Cluster, type PatroniNode } from './failover/cluster.ts'
import { failoverMutants } from './failover/mutants.ts'
import { atLeast, none, atMost, type Scenario, type ScenarioContext, type ScenarioResult } from './scenario.ts'
import { SeededRandom } from './random.ts'
import type { TestEnvironment } from './test-environment.ts'
import { TrafficGenerator } from './traffic-generator.ts'

const MAX_RECOVERY_SECONDS = 10
const BASELINE_SECONDS = 5

/** T11: the primary of a synchronous pair dies under load; the other one takes over and nothing acknowledged is lost. */
export const failover: Scenario = {
  name: 'failover',
  covers: ['T11'],
  summary: 'kills the primary of the pair in deploy/ha under load; the standby takes over, no charge is lost',
  options: {
    nodes: { default: 2, description: 'api processes' },
    clients: { default: 32, description: 'requests under way at once' },
    rate: { default: 300, description: 'requests a second' },
    keys: { default: 20, description: 'keys' },
    seconds: { default: 15, description: 'seconds of load after the kill' },
  },
  mutantOptions: {},
  mutants: failoverMutants,
  run,
}

async function run({
  seed,
  options,
  root,
  log,
  openEnvironment: openStage,
  onTeardown,
}: ScenarioContext): Promise<ScenarioResult> {
  const { nodes = 1, clients = 1, rate = 1, keys: count = 1, seconds = 1 } = options
  const cluster = await Cluster.start(join(root, 'deploy/ha'), { log, onTeardown })
  const [first, second] = cluster.machines as [PatroniNode, PatroniNode]
  log('primary and synchronous standby run')
  const stage = await openStage({ nodes, synchronousCommit: true, maxSeconds: 180, postgres: cluster.url })
  const choice = {
    random: new SeededRandom(seed),
    nodes,
    sets: stage.market.sets.slice(0, 50).map((s) => s.set_number),
  }
  const traffic = startTraffic(stage, choice, await createUnlimitedKeys(stage, count), { rate, clients })
  await sleep(BASELINE_SECONDS)
  // A standby that fell behind while the market was written would not be promoted.
  await cluster.until('the standby is synchronous', () => cluster.hasRole(second, 'sync'))
  log('killing the primary')
  const killedAt = await cluster.kill(first)
  const promoted = timeToPromotion(cluster, second, killedAt)
  await sleep(seconds)
  log('the old primary comes back')
  const writes = await writesAcceptedWhileReturning(cluster, first)
  const seen = await traffic.stop()
  const used = await stage.creditsUsed()
  return report({
    seen,
    killedAt,
    promotedAfter: await promoted,
    balance: reconcileCharges(seen, used),
    writes,
    differing: await countMismatches(cluster.urlOf(first), stage, used),
    stale: await countStaleNodes(stage.nodes),
  })
}

function startTraffic(
  stage: TestEnvironment,
  choice: CallContext,
  keys: LimitedKey[],
  pace: { rate: number; clients: number },
): TrafficGenerator {
  const ports = stage.nodes.map((node) => node.port)
  return new TrafficGenerator(ports, { ...pace, next: () => randomCallFor(choice.random.pick(keys), choice) })
}

/** A third of the calls read private rows: they need the database for more than the charge. */
function randomCallFor(key: LimitedKey, choice: CallContext): Call {
  return choice.random.next() < 0.33 ? get(key, choice, '/brickfolio', 1, 200) : randomCall(key, choice)
}

/** Seconds from the kill until the standby calls itself primary. */
async function timeToPromotion(cluster: Cluster, standby: PatroniNode, killedAt: number): Promise<number> {
  await cluster.until('the standby is primary', () => cluster.hasRole(standby, 'primary'), 60).catch(() => {})
  return (performance.now() - killedAt) / 1000
}

/** Starts the old primary again and tries to write to it, directly and all the time, until it is a standby. */
async function writesAcceptedWhileReturning(cluster: Cluster, machine: PatroniNode): Promise<number> {
  let accepted = 0
  let returned = false
  async function tryToWrite(): Promise<void> {
    while (!returned) {
      const client = new pg.Client({ connectionString: cluster.urlOf(machine), connectionTimeoutMillis: 500 })
      client.on('error', () => {})
      try {
        await client.connect()
        await client.query('create table fence (written timestamptz)')
        accepted++
      } catch {
        // As it should be: it does not run, or is a standby.
      }
      await client.end().catch(() => {})
      await sleep(0.05)
    }
  }
  const trying = tryToWrite()
  await cluster.startMachine(machine)
  await cluster.until('the old primary is a standby', () => cluster.hasRole(machine, 'sync'))
  returned = true
  await trying
  return accepted
}

/** Keys whose count on the machine that came back is not that of the primary. */
async function countMismatches(url: string, stage: TestEnvironment, used: Map<number, number>): Promise<number> {
  const database = stage.url.split('/').at(-1)!
  const client = new pg.Client(url.replace(/[^/]+$/, database))
  await client.connect()
  const { rows } = await client.query<{ key_id: number; used: number }>(
    `select key_id, used from account.quota_day where day = (now() at time zone 'utc')::date`,
  )
  await client.end()
  const there = new Map(rows.map((row) => [row.key_id, row.used]))
  return [...used].filter(([keyId, units]) => there.get(keyId) !== units).length
}

type Outcome = {
  seen: Observation[]
  killedAt: number
  promotedAfter: number
  balance: ReturnType<typeof reconcileCharges>
  writes: number
  differing: number
  stale: number
}

function report({ seen, killedAt, promotedAfter, balance, writes, differing, stale }: Outcome): ScenarioResult {
  const allowed = (one: Observation) => [one.call.expectedStatus, 503].includes(one.status)
  const odd = seen.filter((one) => !allowed(one))
  const refused = seen.filter((one) => one.status === 503)
  const firstRefusal = Math.min(...refused.map((one) => one.receivedAt))
  const silence = longestOutage(seen, killedAt)
  // A call that waited may be served when nobody is refused any more.
  const normalAt = Math.max(silence.end, ...refused.map((one) => one.receivedAt))
  const normalAfter = round((normalAt - killedAt) / 1000)
  const served = (from: number, to: number) =>
    seen.filter((one) => one.status === one.call.expectedStatus && one.receivedAt >= from && one.receivedAt < to).length
  const before = served(killedAt - BASELINE_SECONDS * 1000, killedAt)
  const end = Math.max(...seen.map((one) => one.receivedAt))
  const after = served(end - BASELINE_SECONDS * 1000, end)
  return {
    checks: [
      none('acknowledged units lost', balance.lost),
      none('units used that no answer explains', balance.unaccounted),
      none('numbers given out twice', balance.duplicates),
      none('answers other than success and 503', odd.length),
      none('refusals before the kill', refused.filter((one) => one.receivedAt < killedAt).length),
      atMost('normal again, seconds after the kill', MAX_RECOVERY_SECONDS, normalAfter),
      atLeast('served in the last seconds, in % of before', 70, Math.round((after / Math.max(1, before)) * 100)),
      none('writes that the old primary accepted', writes),
      none('keys counted otherwise on the old primary', differing),
      none('api processes with a stale catalog', stale),
      atLeast('units acknowledged', 1000, balance.acknowledged),
    ],
    measurements: {
      requests: seen.length,
      'units acknowledged': balance.acknowledged,
      refused: refused.length,
      'standby primary, s after the kill': round(promotedAfter),
      'first refusal, s after the kill': refused.length === 0 ? null : round((firstRefusal - killedAt) / 1000),
      'longest time without a charge, s': round((silence.end - silence.start) / 1000),
      'slowest answer, ms': Math.round(Math.max(...seen.map((one) => one.receivedAt - one.sentAt))),
    },
    failures: odd.slice(0, 8).map((one) => `${one.call.name} answered ${one.status}`),
  }
}

/** The longest time after `from` in which no call was charged and answered. */
function longestOutage(seen: Observation[], from: number): { start: number; end: number } {
  const charged = seen.filter(
    (one) => one.call.cost > 0 && one.status === one.call.expectedStatus && one.receivedAt > from,
  )
  const successes = charged.map((one) => one.receivedAt)
  let [start, longest] = [from, { start: from, end: from }]
  for (const end of successes.toSorted((a, b) => a - b)) {
    if (end - start > longest.end - longest.start) longest = { start, end }
    start = end
  }
  return longest
}

function round(seconds: number): number {
  return Math.round(seconds * 10) / 10
}

function sleep(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000))
}
