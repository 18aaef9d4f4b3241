import { sql } from 'kysely'
import { isIndeterminate, type Observation } from './admission/invariants.ts'
import { countByStatus, formatViolations, checksFor, checkInvariants } from './admission/check-invariants.ts'
import { randomCall, planCalls, type Call, type LimitedKey } from './admission/calls.ts'
import { createKeys, runCalls, observe } from './admission/observe.ts'
import type { ApiNode } from '../support/api-node.ts'
import { Client } from '../support/http-client.ts'
import { atLeast, exactly, type Check, type Scenario, type ScenarioContext, type ScenarioResult } from './scenario.ts'
import { SeededRandom } from './random.ts'
import type { TestEnvironment } from './test-environment.ts'

const KILL_EVERY_MS = 2000
const BURST_MS = 500
const MAX_RECOVERY_MS = 10_000

/** T6 and T10: api processes and PostgreSQL are killed under load. No count goes over, no acknowledged charge is lost. */
export const crash: Scenario = {
  name: 'crash',
  covers: ['T6', 'T10'],
  summary: 'kills api processes every 2 s and PostgreSQL under load: 0 over-admitted, 0 acknowledged charges lost',
  options: {
    nodes: { default: 4, description: 'api processes' },
    clients: { default: 64, description: 'requests under way at once' },
    keys: { default: 200, description: 'keys' },
    seconds: { default: 40, description: 'how long the load lasts' },
    outages: { default: 3, description: 'how often PostgreSQL is killed' },
  },
  mutantOptions: { nodes: 3, clients: 32, keys: 30, seconds: 8, outages: 1 },
  dedicatedPostgres: true,
  mutants: [
    {
      name: 'commit-later',
      description: 'a charge is answered before it is on the disk',
      edits: [
        {
          file: 'packages/core/src/db/database.ts',
          find: "application_name: 'brickmark',",
          replace: "application_name: 'brickmark', options: '-c synchronous_commit=off',",
        },
      ],
    },
    {
      name: 'unlogged',
      description: 'the counts are in a table that a crash empties',
      edits: [
        {
          file: 'packages/core/migrations/0002-partitions.sql',
          find: "'create table %I.%I (",
          replace: "'create unlogged table %I.%I (",
        },
      ],
    },
    {
      name: 'fail-open',
      description: 'a request that cannot be charged is answered all the same',
      edits: [
        {
          file: 'apps/api/request-handler.ts',
          find: 'service.admission.admit(identity, price, startedAt)',
          replace:
            "service.admission.admit(identity, price, startedAt).catch(() => ({ kind: 'admitted', quota: { limit: 1000, remaining: 0, reset: new Date().toISOString() } }) as const)",
        },
      ],
    },
  ],
  run,
}

async function run({ seed, options, openEnvironment: openStage, log }: ScenarioContext): Promise<ScenarioResult> {
  const { nodes = 1, clients = 1, keys: count = 1, seconds = 1, outages = 1 } = options
  const stage = await openStage({ nodes, synchronousCommit: true, maxSeconds: 120 + 3 * seconds })
  const random = new SeededRandom(seed)
  const choice = { random, nodes, sets: stage.market.sets.slice(0, 50).map((set) => set.set_number) }
  const keys = await createKeys(stage, random, count)
  const probe = { ...(await stage.createAccount({ limit: 1_000_000 })), limit: 1_000_000 }
  const plan = planCalls(keys, choice)
  log(`${plan.length} requests for ${keys.length} keys`)
  // As in production, where the last one is minutes ago: recovery is not to replay the making of this database.
  await sql`checkpoint`.execute(stage.db)
  const fleet = new Fleet(stage, clients)

  const load = runInBursts(plan, clients, seconds * 1000, (call) => fleet.ask(call))
  const killing = fleet.killPeriodicallyUntil(load)
  const probing = killDatabase(stage, fleet, { outages, seconds }, () => randomCall(probe, choice))
  const [sightings, kills, outage] = await Promise.all([load, killing, probing])
  await fleet.waitUntilAllReady()
  const all = [...sightings, ...outage.sightings]
  const broken = await checkInvariants(stage, [...keys, probe], all, { lossy: true })
  return {
    checks: [
      ...checksFor(broken),
      ...livenessChecks({ kills, seconds, outages, sightings, recoveredAfterMs: outage.recoveredAfterMs }),
    ],
    measurements: {
      requests: all.length,
      'by status': countByStatus(all),
      'api processes killed': kills,
      'PostgreSQL killed': outages,
      'units acknowledged': units(all, (one) => one.status === one.call.expectedStatus),
      'units unknown': units(all, isIndeterminate),
      'units used': await usedBy(stage, [...keys, probe]),
      'PostgreSQL up again after, ms': outage.startedAfter,
      'serving again after, ms': outage.recoveredAfterMs,
      'slowest answer, ms': Math.round(Math.max(...all.map((one) => one.receivedAt - one.sentAt))),
    },
    failures: formatViolations(broken),
  }
}

/** That something was killed while it worked, and that the service came back. */
function livenessChecks(run: {
  kills: number
  seconds: number
  outages: number
  sightings: Observation[]
  recoveredAfterMs: number[]
}): Check[] {
  const slowest = Math.max(...run.recoveredAfterMs)
  return [
    atLeast('api processes killed', Math.floor((run.seconds * 500) / KILL_EVERY_MS), run.kills),
    exactly('times that PostgreSQL was killed', run.outages, run.recoveredAfterMs.length),
    atLeast('answers that the kills cost', 1, run.sightings.filter(isIndeterminate).length),
    {
      name: 'ms until served again, slowest',
      goal: `≤ ${MAX_RECOVERY_MS}`,
      value: slowest,
      pass: slowest <= MAX_RECOVERY_MS,
    },
  ]
}

/** Spread over the time, but each burst with all clients at once: a key that is asked by one at a time meets no race. */
async function runInBursts(
  plan: Call[],
  clients: number,
  ms: number,
  ask: (call: Call) => Promise<Observation>,
): Promise<Observation[]> {
  const bursts = Math.ceil(ms / BURST_MS)
  const sightings: Observation[] = []
  for (let burst = 0; burst < bursts; burst++) {
    const part = plan.slice((plan.length * burst) / bursts, (plan.length * (burst + 1)) / bursts)
    const [seen] = await Promise.all([runCalls(part, clients, ask), sleep(BURST_MS)])
    sightings.push(...seen)
  }
  return sightings
}

/** The api processes and which of them serve: like a load balancer, nobody asks one that is not ready. */
class Fleet {
  readonly #stage: TestEnvironment
  readonly #clients: Client[]
  readonly #serving: Set<ApiNode>
  readonly #watchers: (() => void)[] = []

  constructor(stage: TestEnvironment, connections: number) {
    this.#stage = stage
    this.#clients = stage.nodes.map((node) => new Client(node.port, connections, { retries: false }))
    this.#serving = new Set(stage.nodes)
  }

  /** Asks a node that serves. Where nobody listens nothing was sent, so another is asked. */
  async ask(call: Call): Promise<Observation> {
    for (let index = call.node; ; index = (index + 1) % this.#clients.length) {
      if (this.#serving.has(this.#stage.nodes[index]!)) {
        const seen = await observe(call, this.#clients[index]!)
        if (seen.status === 200) for (const tell of this.#watchers.splice(0)) tell()
        if (!seen.error?.includes('ECONNREFUSED')) return seen
      }
      await sleep(5)
    }
  }

  /** When the next charge is acknowledged, the best moment for a kill; does not wait for long if none comes. */
  nextCharge(): Promise<void> {
    return Promise.race([new Promise<void>((resolve) => this.#watchers.push(resolve)), sleep(KILL_EVERY_MS)])
  }

  /** Kills one after another while another serves, and starts it again on the same port. Returns how many. */
  async killPeriodicallyUntil(over: Promise<unknown>): Promise<number> {
    let going = true
    void over.finally(() => (going = false))
    let kills = 0
    for (let turn = 0; going; turn++) {
      await sleep(KILL_EVERY_MS)
      const index = turn % this.#clients.length
      const node = this.#stage.nodes[index]!
      if (!this.#serving.has(node) || this.#serving.size === 1) continue
      await this.nextCharge()
      await node.kill()
      kills++
      this.#serving.delete(node)
      const successor = await this.#stage.startNode({ port: node.port })
      this.#stage.nodes[index] = successor
      void successor.waitUntilReady().then(
        () => this.#serving.add(successor),
        () => {},
      )
    }
    return kills
  }

  /** When every node serves again. */
  async waitUntilAllReady(): Promise<void> {
    await Promise.all(this.#stage.nodes.map((node) => node.waitUntilReady()))
    for (const client of this.#clients) client.close()
  }
}

/** Spread over the time of the load; after each kill a probe asks until it is served. */
async function killDatabase(
  stage: TestEnvironment,
  fleet: Fleet,
  { outages, seconds }: { outages: number; seconds: number },
  probe: () => Call,
): Promise<{ sightings: Observation[]; recoveredAfterMs: number[]; startedAfter: number[] }> {
  const sightings: Observation[] = []
  const recoveredAfterMs: number[] = []
  const startedAfter: number[] = []
  for (let outage = 0; outage < outages; outage++) {
    await sleep((seconds * 1000) / (outages + 1))
    await fleet.nextCharge()
    const killedAt = performance.now()
    await stage.postgres!.kill()
    const since = () => Math.round(performance.now() - killedAt)
    const started = stage.postgres!.start().then(since)
    for (let served = false; !served && since() < 3 * MAX_RECOVERY_MS;) {
      const seen = await fleet.ask(probe())
      sightings.push(seen)
      served = seen.status === 200
    }
    recoveredAfterMs.push(since())
    startedAfter.push(await started)
  }
  return { sightings, recoveredAfterMs, startedAfter }
}

function units(sightings: Observation[], which: (one: Observation) => boolean): number {
  return sightings.filter((sighting) => which(sighting)).reduce((sum, sighting) => sum + sighting.call.cost, 0)
}

async function usedBy(stage: TestEnvironment, keys: LimitedKey[]): Promise<number> {
  const used = await stage.creditsUsed()
  return keys.reduce((sum, key) => sum + (used.get(key.keyId) ?? 0), 0)
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
