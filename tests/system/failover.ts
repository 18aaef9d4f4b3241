import { join } from 'node:path'
import pg from 'pg'
import { anyCall, get, type Call, type Choice, type LimitedKey } from './admission/calls.ts'
import type { Sighting } from './admission/invariants.ts'
import { makeRichKeys } from './admission/observe.ts'
import { staleNodes } from '../support/api-node.ts'
import { balance } from './reconcile-charges.ts'
import { Cluster, type Machine } from './failover/cluster.ts'
import { failoverPlants } from './failover/mutants.ts'
import { atLeast, none, within, type Proof, type ProofContext, type ProofResult } from './scenario.ts'
import { SeededRandom } from './random.ts'
import type { Stage } from './test-environment.ts'
import { Traffic } from './traffic-generator.ts'

const NORMAL_WITHIN_S = 10
const CALM_S = 5

/** T11: the primary of a synchronous pair dies under load; the other one takes over and nothing acknowledged is lost. */
export const failover: Proof = {
  name: 'failover',
  covers: ['T11'],
  summary: 'kills the primary of the pair in deploy/ha under load; the standby takes over, no charge is lost',
  options: {
    nodes: { default: 2, what: 'api processes' },
    clients: { default: 32, what: 'requests under way at once' },
    rate: { default: 300, what: 'requests a second' },
    keys: { default: 20, what: 'keys' },
    seconds: { default: 15, what: 'seconds of load after the kill' },
  },
  smallLoad: {},
  plants: failoverPlants,
  run,
}

async function run({ seed, options, root, say, stage: openStage, stopAtEnd }: ProofContext): Promise<ProofResult> {
  const { nodes = 1, clients = 1, rate = 1, keys: count = 1, seconds = 1 } = options
  const cluster = await Cluster.start(join(root, 'deploy/ha'), { say, stopAtEnd })
  const [first, second] = cluster.machines as [Machine, Machine]
  say('primary and synchronous standby run')
  const stage = await openStage({ nodes, durable: true, seconds: 180, server: cluster.url })
  const choice = {
    random: new SeededRandom(seed),
    nodes,
    sets: stage.market.sets.slice(0, 50).map((s) => s.set_number),
  }
  const traffic = startTraffic(stage, choice, await makeRichKeys(stage, count), { rate, clients })
  await pause(CALM_S)
  // A standby that fell behind while the market was written would not be promoted.
  await cluster.until('the standby is synchronous', () => cluster.is(second, 'sync'))
  say('killing the primary')
  const killedAt = await cluster.kill(first)
  const promoted = promotion(cluster, second, killedAt)
  await pause(seconds)
  say('the old primary comes back')
  const writes = await writesAcceptedWhileReturning(cluster, first)
  const seen = await traffic.stop()
  const used = await stage.used()
  return report({
    seen,
    killedAt,
    promotedAfter: await promoted,
    balance: balance(seen, used),
    writes,
    differing: await differingOn(cluster.urlOf(first), stage, used),
    stale: await staleNodes(stage.nodes),
  })
}

function startTraffic(
  stage: Stage,
  choice: Choice,
  keys: LimitedKey[],
  pace: { rate: number; clients: number },
): Traffic {
  const ports = stage.nodes.map((node) => node.port)
  return new Traffic(ports, { ...pace, next: () => callOf(choice.random.pick(keys), choice) })
}

/** A third of the calls read private rows: they need the database for more than the charge. */
function callOf(key: LimitedKey, choice: Choice): Call {
  return choice.random.next() < 0.33 ? get(key, choice, '/brickfolio', 1, 200) : anyCall(key, choice)
}

/** Seconds from the kill until the standby calls itself primary. */
async function promotion(cluster: Cluster, standby: Machine, killedAt: number): Promise<number> {
  await cluster.until('the standby is primary', () => cluster.is(standby, 'primary'), 60).catch(() => {})
  return (performance.now() - killedAt) / 1000
}

/** Starts the old primary again and tries to write to it, directly and all the time, until it is a standby. */
async function writesAcceptedWhileReturning(cluster: Cluster, machine: Machine): Promise<number> {
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
      await pause(0.05)
    }
  }
  const trying = tryToWrite()
  await cluster.startMachine(machine)
  await cluster.until('the old primary is a standby', () => cluster.is(machine, 'sync'))
  returned = true
  await trying
  return accepted
}

/** Keys whose count on the machine that came back is not that of the primary. */
async function differingOn(url: string, stage: Stage, used: Map<number, number>): Promise<number> {
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
  seen: Sighting[]
  killedAt: number
  promotedAfter: number
  balance: ReturnType<typeof balance>
  writes: number
  differing: number
  stale: number
}

function report({ seen, killedAt, promotedAfter, balance, writes, differing, stale }: Outcome): ProofResult {
  const allowed = (one: Sighting) => [one.call.success, 503].includes(one.status)
  const odd = seen.filter((one) => !allowed(one))
  const refused = seen.filter((one) => one.status === 503)
  const firstRefusal = Math.min(...refused.map((one) => one.gotAt))
  const silence = longestSilence(seen, killedAt)
  // A call that waited may be served when nobody is refused any more.
  const normalAt = Math.max(silence.end, ...refused.map((one) => one.gotAt))
  const normalAfter = round((normalAt - killedAt) / 1000)
  const served = (from: number, to: number) =>
    seen.filter((one) => one.status === one.call.success && one.gotAt >= from && one.gotAt < to).length
  const before = served(killedAt - CALM_S * 1000, killedAt)
  const end = Math.max(...seen.map((one) => one.gotAt))
  const after = served(end - CALM_S * 1000, end)
  return {
    goals: [
      none('acknowledged units lost', balance.lost),
      none('units used that no answer explains', balance.unexplained),
      none('numbers given out twice', balance.twice),
      none('answers other than success and 503', odd.length),
      none('refusals before the kill', refused.filter((one) => one.gotAt < killedAt).length),
      within('normal again, seconds after the kill', NORMAL_WITHIN_S, normalAfter),
      atLeast('served in the last seconds, in % of before', 70, Math.round((after / Math.max(1, before)) * 100)),
      none('writes that the old primary accepted', writes),
      none('keys counted otherwise on the old primary', differing),
      none('api processes with a stale catalog', stale),
      atLeast('units acknowledged', 1000, balance.acknowledged),
    ],
    figures: {
      requests: seen.length,
      'units acknowledged': balance.acknowledged,
      refused: refused.length,
      'standby primary, s after the kill': round(promotedAfter),
      'first refusal, s after the kill': refused.length === 0 ? null : round((firstRefusal - killedAt) / 1000),
      'longest time without a charge, s': round((silence.end - silence.start) / 1000),
      'slowest answer, ms': Math.round(Math.max(...seen.map((one) => one.gotAt - one.sentAt))),
    },
    failures: odd.slice(0, 8).map((one) => `${one.call.name} answered ${one.status}`),
  }
}

/** The longest time after `from` in which no call was charged and answered. */
function longestSilence(seen: Sighting[], from: number): { start: number; end: number } {
  const charged = seen.filter((one) => one.call.price > 0 && one.status === one.call.success && one.gotAt > from)
  const successes = charged.map((one) => one.gotAt)
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

function pause(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000))
}
