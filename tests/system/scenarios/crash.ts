import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { isIndeterminate, type Observation } from './admission/invariants.ts'
import { countByStatus, formatViolations, checksFor, checkInvariants } from './admission/check-invariants.ts'
import { randomCall, planCalls, type Call, type LimitedKey } from './admission/calls.ts'
import { createKeys, runCalls, observe } from './admission/observe.ts'
import type { ApiNode } from '../../support/api-node.ts'
import { Client } from '../../support/http-client.ts'
import {
  atLeast,
  atMost,
  exactly,
  timing,
  type Check,
  type Scenario,
  type ScenarioContext,
  type ScenarioResult,
} from '../harness/scenario.ts'
import { SeededRandom } from '../harness/random.ts'
import type { TestEnvironment } from '../harness/test-environment.ts'

const KILL_EVERY_MS = 2000
const BURST_MS = 500
const MAX_RECOVERY_MS = 10_000

/**
 * API processes and PostgreSQL are killed under load. Nothing is over-admitted, and no acknowledged charge
 * is lost.
 */
export const crash = {
  name: 'crash',
  summary:
    'kills API processes every 2 s and PostgreSQL under load; nothing over-admitted, no acknowledged charge lost',
  options: {
    nodes: { default: 4, description: 'API processes' },
    clients: { default: 64, description: 'requests in flight' },
    keys: { default: 200, description: 'keys' },
    seconds: { default: 40, description: 'duration of the load in seconds' },
    outages: { default: 3, description: 'number of times PostgreSQL is killed' },
  },
  mutantOptions: { nodes: 3, clients: 32, keys: 30, seconds: 8, outages: 1 },
  dedicatedPostgres: true,
  mutants: [
    {
      name: 'commit-later',
      description: 'acknowledges a charge before it is flushed to disk',
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
      description: 'keeps the counters in an unlogged table, which a crash empties',
      edits: [
        {
          file: 'packages/core/migrations/0007-account.sql',
          find: 'create table account.api_key_quota (',
          replace: 'create unlogged table account.api_key_quota (',
        },
      ],
    },
    {
      name: 'fail-open',
      description: 'serves requests that can’t be charged',
      edits: [
        {
          file: 'apps/api/request-handler.ts',
          find: 'const quota = requireAdmitted(outcome, cost)',
          replace: `const quota =
          outcome instanceof AdmissionUnavailableError
            ? { limit: 1000, remaining: 0, reset: new Date().toISOString() }
            : requireAdmitted(outcome, cost)`,
        },
      ],
    },
  ],
  run,
} satisfies Scenario

async function run({ seed, options, openEnvironment, log }: ScenarioContext): Promise<ScenarioResult> {
  const { nodes = 1, clients = 1, keys: count = 1, seconds = 1, outages = 1 } = options
  const environment = await openEnvironment({ nodes, synchronousCommit: true, maxSeconds: 120 + 3 * seconds })
  const random = new SeededRandom(seed)
  const choice = { random, nodes, sets: environment.market.sets.slice(0, 50).map((set) => set.set_number) }
  const keys = await createKeys(environment, random, count)
  const probe = { ...(await environment.createAccount({ limit: 1_000_000 })), limit: 1_000_000 }
  const plan = planCalls(keys, choice)
  log(`${plan.length} requests for ${keys.length} keys`)
  // As in production, where the last checkpoint was minutes ago: recovery must not replay the creation of this
  // database.
  await sql`checkpoint`.execute(environment.db)
  const fleet = new Fleet(environment, clients)

  const load = runInBursts(plan, clients, seconds * 1000, (call) => fleet.send(call))
  const killing = fleet.killPeriodicallyUntil(load)
  const probing = killDatabase(environment, fleet, { outages, seconds }, () => randomCall(probe, choice))
  const [observations, kills, outage] = await Promise.all([load, killing, probing])
  await fleet.waitUntilAllReady()
  const all = [...observations, ...outage.observations]
  const violations = await checkInvariants(environment, [...keys, probe], all, { lossy: true })
  return {
    checks: [
      ...checksFor(violations),
      ...livenessChecks({ kills, seconds, outages, observations, recoveredAfterMs: outage.recoveredAfterMs }),
    ],
    measurements: {
      requests: all.length,
      'by status': countByStatus(all),
      'API processes killed': kills,
      'PostgreSQL kills': outages,
      'credits acknowledged': totalCost(all, (observation) => observation.status === observation.call.expectedStatus),
      'credits with unknown outcome': totalCost(all, isIndeterminate),
      'credits used': await usedBy(environment, [...keys, probe]),
      'PostgreSQL restarted after, ms': outage.startedAfter,
      'recovered after, ms': outage.recoveredAfterMs,
      'slowest response, ms': Math.round(
        Math.max(...all.map((observation) => observation.receivedAt - observation.sentAt)),
      ),
    },
    failures: formatViolations(violations),
  }
}

/** Checks that processes were killed while they were working, and that the service recovered. */
function livenessChecks(run: {
  kills: number
  seconds: number
  outages: number
  observations: Observation[]
  recoveredAfterMs: number[]
}): Check[] {
  const slowest = Math.max(...run.recoveredAfterMs)
  return [
    atLeast('API processes killed', Math.floor((run.seconds * 500) / KILL_EVERY_MS), run.kills),
    exactly('PostgreSQL kills', run.outages, run.recoveredAfterMs.length),
    atLeast('responses lost to the kills', 1, run.observations.filter(isIndeterminate).length),
    timing(atMost('slowest recovery, ms', MAX_RECOVERY_MS, slowest)),
  ]
}

/**
 * Spreads the calls over the given time, but runs each burst with all clients at once: a key used by a single client at
 * a time never hits a race.
 */
async function runInBursts(
  plan: Call[],
  clients: number,
  ms: number,
  send: (call: Call) => Promise<Observation>,
): Promise<Observation[]> {
  const bursts = Math.ceil(ms / BURST_MS)
  const observations: Observation[] = []
  for (let burst = 0; burst < bursts; burst++) {
    const part = plan.slice((plan.length * burst) / bursts, (plan.length * (burst + 1)) / bursts)
    const [observed] = await Promise.all([runCalls(part, clients, send), sleep(BURST_MS)])
    observations.push(...observed)
  }
  return observations
}

/**
 * The API processes and which of them are serving. Like a load balancer, it sends nothing to a process that isn't
 * ready.
 */
class Fleet {
  readonly #environment: TestEnvironment
  readonly #clients: Client[]
  readonly #serving: Set<ApiNode>
  readonly #watchers: (() => void)[] = []

  constructor(environment: TestEnvironment, connections: number) {
    this.#environment = environment
    this.#clients = environment.nodes.map((node) => new Client(node.port, connections, { retries: false }))
    this.#serving = new Set(environment.nodes)
  }

  /** Sends the call to a serving node. A refused connection means that nothing was sent, so the next node is tried. */
  async send(call: Call): Promise<Observation> {
    for (let index = call.node; ; index = (index + 1) % this.#clients.length) {
      if (this.#serving.has(this.#environment.nodes[index]!)) {
        const observation = await observe(call, this.#clients[index]!)
        if (observation.status === 200) for (const notify of this.#watchers.splice(0)) notify()
        if (!observation.error?.includes('ECONNREFUSED')) return observation
      }
      await sleep(5)
    }
  }

  /** Resolves when the next charge is acknowledged, which is the best moment for a kill, or after KILL_EVERY_MS. */
  nextCharge(): Promise<void> {
    return Promise.race([new Promise<void>((resolve) => this.#watchers.push(resolve)), sleep(KILL_EVERY_MS)])
  }

  /**
   * Kills one node after another while another is serving, and restarts it on the same port. Returns the number of
   * kills.
   */
  async killPeriodicallyUntil(load: Promise<unknown>): Promise<number> {
    let running = true
    void load.finally(() => (running = false))
    let kills = 0
    for (let round = 0; running; round++) {
      await sleep(KILL_EVERY_MS)
      const index = round % this.#clients.length
      const node = this.#environment.nodes[index]!
      if (!this.#serving.has(node) || this.#serving.size === 1) continue
      await this.nextCharge()
      await node.kill()
      kills++
      this.#serving.delete(node)
      const successor = await this.#environment.startNode({ port: node.port })
      this.#environment.nodes[index] = successor
      void successor.waitUntilReady().then(
        () => this.#serving.add(successor),
        () => {},
      )
    }
    return kills
  }

  /** Waits until every node is serving again. */
  async waitUntilAllReady(): Promise<void> {
    await Promise.all(this.#environment.nodes.map((node) => node.waitUntilReady()))
    for (const client of this.#clients) client.close()
  }
}

/** Kills PostgreSQL at even intervals during the load. After each kill, probes until a request succeeds. */
async function killDatabase(
  environment: TestEnvironment,
  fleet: Fleet,
  { outages, seconds }: { outages: number; seconds: number },
  probe: () => Call,
): Promise<{ observations: Observation[]; recoveredAfterMs: number[]; startedAfter: number[] }> {
  const observations: Observation[] = []
  const recoveredAfterMs: number[] = []
  const startedAfter: number[] = []
  for (let outage = 0; outage < outages; outage++) {
    await sleep((seconds * 1000) / (outages + 1))
    await fleet.nextCharge()
    const killedAt = performance.now()
    await environment.postgres!.kill()
    const elapsed = () => Math.round(performance.now() - killedAt)
    const started = environment.postgres!.start().then(elapsed)
    for (let served = false; !served && elapsed() < 3 * MAX_RECOVERY_MS;) {
      const observation = await fleet.send(probe())
      observations.push(observation)
      served = observation.status === 200
    }
    recoveredAfterMs.push(elapsed())
    startedAfter.push(await started)
  }
  return { observations, recoveredAfterMs, startedAfter }
}

function totalCost(observations: Observation[], predicate: (observation: Observation) => boolean): number {
  return observations
    .filter((observation) => predicate(observation))
    .reduce((sum, observation) => sum + observation.call.cost, 0)
}

async function usedBy(environment: TestEnvironment, keys: LimitedKey[]): Promise<number> {
  const used = await environment.creditsUsed()
  return keys.reduce((sum, key) => sum + (used.get(key.keyId) ?? 0), 0)
}
