import { setTimeout as sleep } from 'node:timers/promises'
import { join } from 'node:path'
import pg from 'pg'
import { randomCall, get, type Call, type CallContext, type LimitedKey } from './admission/calls.ts'
import type { Observation } from './admission/invariants.ts'
import { createUnlimitedKeys } from './admission/observe.ts'
import { countStaleNodes } from '../../support/api-node.ts'
import { reconcileCharges } from '../harness/reconcile-charges.ts'
import { Cluster, type PatroniNode } from './failover/cluster.ts'
import { failoverMutants } from './failover/mutants.ts'
import { atLeast, none, atMost, type Scenario, type ScenarioContext, type ScenarioResult } from '../harness/scenario.ts'
import { SeededRandom } from '../harness/random.ts'
import type { TestEnvironment } from '../harness/test-environment.ts'
import { TrafficGenerator } from '../harness/traffic-generator.ts'

const MAX_RECOVERY_SECONDS = 10
const BASELINE_SECONDS = 5

/** The primary of a synchronous pair dies under load; the standby takes over and nothing acknowledged is lost. */
export const failover = {
  name: 'failover',
  summary: 'kills the primary of the pair in deploy/ha under load; the standby takes over, no charge is lost',
  options: {
    nodes: { default: 2, description: 'API processes' },
    clients: { default: 32, description: 'requests in flight' },
    rate: { default: 300, description: 'requests per second' },
    keys: { default: 20, description: 'keys' },
    seconds: { default: 15, description: 'duration of the load after the kill in seconds' },
  },
  mutantOptions: {},
  mutants: failoverMutants,
  run,
} satisfies Scenario

async function run({
  seed,
  options,
  root,
  log,
  openEnvironment,
  onTeardown,
}: ScenarioContext): Promise<ScenarioResult> {
  const { nodes = 1, clients = 1, rate = 1, keys: count = 1, seconds = 1 } = options
  const cluster = await Cluster.start(join(root, 'deploy/ha'), { log, onTeardown })
  const [first, second] = cluster.machines as [PatroniNode, PatroniNode]
  log('primary and synchronous standby are running')
  const environment = await openEnvironment({ nodes, synchronousCommit: true, maxSeconds: 180, postgres: cluster.url })
  const choice = {
    random: new SeededRandom(seed),
    nodes,
    sets: environment.market.sets.slice(0, 50).map((s) => s.set_number),
  }
  const traffic = startTraffic(environment, choice, await createUnlimitedKeys(environment, count), { rate, clients })
  await sleep(BASELINE_SECONDS * 1000)
  // A standby that fell behind while the market was written would not be promoted.
  await cluster.until('the standby is synchronous', () => cluster.hasRole(second, 'sync'))
  log('killing the primary')
  const killedAt = await cluster.kill(first)
  const promoted = timeToPromotion(cluster, second, killedAt)
  await sleep(seconds * 1000)
  log('restarting the old primary')
  const writes = await writesAcceptedWhileReturning(cluster, first)
  const observations = await traffic.stop()
  const used = await environment.creditsUsed()
  return report({
    observations,
    killedAt,
    promotedAfter: await promoted,
    balance: reconcileCharges(observations, used),
    writes,
    differing: await countMismatches(cluster.urlOf(first), environment, used),
    stale: await countStaleNodes(environment.nodes),
  })
}

function startTraffic(
  environment: TestEnvironment,
  callContext: CallContext,
  keys: LimitedKey[],
  pace: { rate: number; clients: number },
): TrafficGenerator {
  const ports = environment.nodes.map((node) => node.port)
  return new TrafficGenerator(ports, { ...pace, next: () => randomCallFor(callContext.random.pick(keys), callContext) })
}

/** A third of the calls read private rows, which need the database for more than the charge. */
function randomCallFor(key: LimitedKey, callContext: CallContext): Call {
  return callContext.random.next() < 0.33 ? get(key, callContext, '/brickfolio', 1, 200) : randomCall(key, callContext)
}

/** Returns the seconds from the kill until the standby reports itself as primary. */
async function timeToPromotion(cluster: Cluster, standbyNode: PatroniNode, killedAt: number): Promise<number> {
  await cluster.until('the standby becomes primary', () => cluster.hasRole(standbyNode, 'primary'), 60).catch(() => {})
  return (performance.now() - killedAt) / 1000
}

/**
 * Restarts the old primary and continuously tries to write to it directly until it is a standby. Returns the accepted
 * writes.
 */
async function writesAcceptedWhileReturning(cluster: Cluster, node: PatroniNode): Promise<number> {
  let accepted = 0
  let returned = false
  async function tryToWrite(): Promise<void> {
    while (!returned) {
      const client = new pg.Client({ connectionString: cluster.urlOf(node), connectionTimeoutMillis: 500 })
      client.on('error', () => {})
      try {
        await client.connect()
        await client.query('create table fence (written timestamptz)')
        accepted++
      } catch {
        // Expected: it isn't running, or it is a standby.
      }
      await client.end().catch(() => {})
      await sleep(50)
    }
  }
  const trying = tryToWrite()
  await cluster.startMachine(node)
  await cluster.until('the old primary becomes a standby', () => cluster.hasRole(node, 'sync'))
  returned = true
  await trying
  return accepted
}

/** Counts the keys whose usage differs between the restarted machine and the primary. */
async function countMismatches(url: string, environment: TestEnvironment, used: Map<number, number>): Promise<number> {
  const database = environment.url.split('/').at(-1)!
  const client = new pg.Client(url.replace(/[^/]+$/, database))
  await client.connect()
  const { rows } = await client.query<{ key_id: number; used: number }>(
    `select api_key_id as key_id, used from account.api_key_quota where day = (now() at time zone 'utc')::date`,
  )
  await client.end()
  const standbyUsed = new Map(rows.map((row) => [row.key_id, row.used]))
  return [...used].filter(([keyId, credits]) => standbyUsed.get(keyId) !== credits).length
}

type Outcome = {
  observations: Observation[]
  killedAt: number
  promotedAfter: number
  balance: ReturnType<typeof reconcileCharges>
  writes: number
  differing: number
  stale: number
}

function report({ observations, killedAt, promotedAfter, balance, writes, differing, stale }: Outcome): ScenarioResult {
  const allowed = (observation: Observation) => [observation.call.expectedStatus, 503].includes(observation.status)
  const unexpected = observations.filter((observation) => !allowed(observation))
  const rejected = observations.filter((observation) => observation.status === 503)
  const firstRejection = Math.min(...rejected.map((observation) => observation.receivedAt))
  const outage = longestOutage(observations, killedAt)
  // A queued call may still be served after the last rejection.
  const normalAt = Math.max(outage.end, ...rejected.map((observation) => observation.receivedAt))
  const normalAfter = round((normalAt - killedAt) / 1000)
  const served = (from: number, to: number) =>
    observations.filter(
      (observation) =>
        observation.status === observation.call.expectedStatus &&
        observation.receivedAt >= from &&
        observation.receivedAt < to,
    ).length
  const before = served(killedAt - BASELINE_SECONDS * 1000, killedAt)
  const end = Math.max(...observations.map((observation) => observation.receivedAt))
  const after = served(end - BASELINE_SECONDS * 1000, end)
  return {
    checks: [
      none('acknowledged credits lost', balance.lost),
      none('credits charged without a response', balance.unaccounted),
      none('duplicate remaining values', balance.duplicates),
      none('responses other than success and 503', unexpected.length),
      none('rejections before the kill', rejected.filter((observation) => observation.receivedAt < killedAt).length),
      atMost('recovered, s after the kill', MAX_RECOVERY_SECONDS, normalAfter),
      atLeast('throughput after recovery, % of before', 70, Math.round((after / Math.max(1, before)) * 100)),
      none('writes accepted by the old primary', writes),
      none('keys with other usage on the old primary', differing),
      none('API processes with a stale catalog', stale),
      atLeast('credits acknowledged', 1000, balance.acknowledged),
    ],
    measurements: {
      requests: observations.length,
      'credits acknowledged': balance.acknowledged,
      rejected: rejected.length,
      'standby promoted, s after the kill': round(promotedAfter),
      'first rejection, s after the kill': rejected.length === 0 ? null : round((firstRejection - killedAt) / 1000),
      'longest period without a charge, s': round((outage.end - outage.start) / 1000),
      'slowest response, ms': Math.round(
        Math.max(...observations.map((observation) => observation.receivedAt - observation.sentAt)),
      ),
    },
    failures: unexpected.slice(0, 8).map((observation) => `${observation.call.name} returned ${observation.status}`),
  }
}

/** Returns the longest period after `from` without a successful charged call. */
function longestOutage(observations: Observation[], from: number): { start: number; end: number } {
  const charged = observations.filter(
    (observation) =>
      observation.call.cost > 0 &&
      observation.status === observation.call.expectedStatus &&
      observation.receivedAt > from,
  )
  const successes = charged.map((observation) => observation.receivedAt)
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
