import { sql } from 'kysely'
import { isUnknown, type Sighting } from './admission/invariants.ts'
import { byStatus, failuresOf, goalsOf, judge } from './admission/check-invariants.ts'
import { anyCall, planLoad, type Call, type LimitedKey } from './admission/calls.ts'
import { makeKeys, play, sight } from './admission/observe.ts'
import type { ApiNode } from '../support/api-node.ts'
import { Client } from '../support/http-client.ts'
import { atLeast, exactly, type Goal, type Proof, type ProofContext, type ProofResult } from './scenario.ts'
import { SeededRandom } from './random.ts'
import type { Stage } from './test-environment.ts'

const KILL_EVERY_MS = 2000
const BURST_MS = 500
const SERVING_WITHIN_MS = 10_000

/** T6 and T10: api processes and PostgreSQL are killed under load. No count goes over, no acknowledged charge is lost. */
export const crash: Proof = {
  name: 'crash',
  covers: ['T6', 'T10'],
  summary: 'kills api processes every 2 s and PostgreSQL under load: 0 over-admitted, 0 acknowledged charges lost',
  options: {
    nodes: { default: 4, what: 'api processes' },
    clients: { default: 64, what: 'requests under way at once' },
    keys: { default: 200, what: 'keys' },
    seconds: { default: 40, what: 'how long the load lasts' },
    outages: { default: 3, what: 'how often PostgreSQL is killed' },
  },
  smallLoad: { nodes: 3, clients: 32, keys: 30, seconds: 8, outages: 1 },
  ownServer: true,
  plants: [
    {
      name: 'commit-later',
      what: 'a charge is answered before it is on the disk',
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
      what: 'the counts are in a table that a crash empties',
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
      what: 'a request that cannot be charged is answered all the same',
      edits: [
        {
          file: 'apps/api/request-handler.ts',
          find: 'service.admission.admit(identity, price, askedAt)',
          replace:
            "service.admission.admit(identity, price, askedAt).catch(() => ({ kind: 'admitted', quota: { limit: 1000, remaining: 0, reset: new Date().toISOString() } }) as const)",
        },
      ],
    },
  ],
  run,
}

async function run({ seed, options, stage: openStage, say }: ProofContext): Promise<ProofResult> {
  const { nodes = 1, clients = 1, keys: count = 1, seconds = 1, outages = 1 } = options
  const stage = await openStage({ nodes, durable: true, seconds: 120 + 3 * seconds })
  const random = new SeededRandom(seed)
  const choice = { random, nodes, sets: stage.market.sets.slice(0, 50).map((set) => set.set_number) }
  const keys = await makeKeys(stage, random, count)
  const probe = { ...(await stage.account({ limit: 1_000_000 })), limit: 1_000_000 }
  const plan = planLoad(keys, choice)
  say(`${plan.length} requests for ${keys.length} keys`)
  // As in production, where the last one is minutes ago: recovery is not to replay the making of this database.
  await sql`checkpoint`.execute(stage.db)
  const fleet = new Fleet(stage, clients)

  const load = playInBursts(plan, clients, seconds * 1000, (call) => fleet.ask(call))
  const killing = fleet.killUntil(load)
  const probing = killDatabase(stage, fleet, { outages, seconds }, () => anyCall(probe, choice))
  const [sightings, kills, outage] = await Promise.all([load, killing, probing])
  await fleet.whole()
  const all = [...sightings, ...outage.sightings]
  const broken = await judge(stage, [...keys, probe], all, { lossy: true })
  return {
    goals: [
      ...goalsOf(broken),
      ...liveliness({ kills, seconds, outages, sightings, servingAfter: outage.servingAfter }),
    ],
    figures: {
      requests: all.length,
      'by status': byStatus(all),
      'api processes killed': kills,
      'PostgreSQL killed': outages,
      'units acknowledged': units(all, (one) => one.status === one.call.success),
      'units unknown': units(all, isUnknown),
      'units used': await usedBy(stage, [...keys, probe]),
      'PostgreSQL up again after, ms': outage.startedAfter,
      'serving again after, ms': outage.servingAfter,
      'slowest answer, ms': Math.round(Math.max(...all.map((one) => one.gotAt - one.sentAt))),
    },
    failures: failuresOf(broken),
  }
}

/** That something was killed while it worked, and that the service came back. */
function liveliness(run: {
  kills: number
  seconds: number
  outages: number
  sightings: Sighting[]
  servingAfter: number[]
}): Goal[] {
  const slowest = Math.max(...run.servingAfter)
  return [
    atLeast('api processes killed', Math.floor((run.seconds * 500) / KILL_EVERY_MS), run.kills),
    exactly('times that PostgreSQL was killed', run.outages, run.servingAfter.length),
    atLeast('answers that the kills cost', 1, run.sightings.filter(isUnknown).length),
    {
      name: 'ms until served again, slowest',
      goal: `≤ ${SERVING_WITHIN_MS}`,
      value: slowest,
      pass: slowest <= SERVING_WITHIN_MS,
    },
  ]
}

/** Spread over the time, but each burst with all clients at once: a key that is asked by one at a time meets no race. */
async function playInBursts(
  plan: Call[],
  clients: number,
  ms: number,
  ask: (call: Call) => Promise<Sighting>,
): Promise<Sighting[]> {
  const bursts = Math.ceil(ms / BURST_MS)
  const sightings: Sighting[] = []
  for (let burst = 0; burst < bursts; burst++) {
    const part = plan.slice((plan.length * burst) / bursts, (plan.length * (burst + 1)) / bursts)
    const [seen] = await Promise.all([play(part, clients, ask), sleep(BURST_MS)])
    sightings.push(...seen)
  }
  return sightings
}

/** The api processes and which of them serve: like a load balancer, nobody asks one that is not ready. */
class Fleet {
  readonly #stage: Stage
  readonly #clients: Client[]
  readonly #serving: Set<ApiNode>
  readonly #watchers: (() => void)[] = []

  constructor(stage: Stage, connections: number) {
    this.#stage = stage
    this.#clients = stage.nodes.map((node) => new Client(node.port, connections, { retries: false }))
    this.#serving = new Set(stage.nodes)
  }

  /** Asks a node that serves. Where nobody listens nothing was sent, so another is asked. */
  async ask(call: Call): Promise<Sighting> {
    for (let place = call.node; ; place = (place + 1) % this.#clients.length) {
      if (this.#serving.has(this.#stage.nodes[place]!)) {
        const seen = await sight(call, this.#clients[place]!)
        if (seen.status === 200) for (const tell of this.#watchers.splice(0)) tell()
        if (!seen.problem?.includes('ECONNREFUSED')) return seen
      }
      await sleep(5)
    }
  }

  /** When the next charge is acknowledged, the best moment for a kill; does not wait for long if none comes. */
  charged(): Promise<void> {
    return Promise.race([new Promise<void>((resolve) => this.#watchers.push(resolve)), sleep(KILL_EVERY_MS)])
  }

  /** Kills one after another while another serves, and starts it again on the same port. Returns how many. */
  async killUntil(over: Promise<unknown>): Promise<number> {
    let going = true
    void over.finally(() => (going = false))
    let kills = 0
    for (let turn = 0; going; turn++) {
      await sleep(KILL_EVERY_MS)
      const place = turn % this.#clients.length
      const node = this.#stage.nodes[place]!
      if (!this.#serving.has(node) || this.#serving.size === 1) continue
      await this.charged()
      await node.kill()
      kills++
      this.#serving.delete(node)
      const successor = await this.#stage.startNode({ port: node.port })
      this.#stage.nodes[place] = successor
      void successor.ready().then(
        () => this.#serving.add(successor),
        () => {},
      )
    }
    return kills
  }

  /** When every node serves again. */
  async whole(): Promise<void> {
    await Promise.all(this.#stage.nodes.map((node) => node.ready()))
    for (const client of this.#clients) client.close()
  }
}

/** Spread over the time of the load; after each kill a probe asks until it is served. */
async function killDatabase(
  stage: Stage,
  fleet: Fleet,
  { outages, seconds }: { outages: number; seconds: number },
  probe: () => Call,
): Promise<{ sightings: Sighting[]; servingAfter: number[]; startedAfter: number[] }> {
  const sightings: Sighting[] = []
  const servingAfter: number[] = []
  const startedAfter: number[] = []
  for (let outage = 0; outage < outages; outage++) {
    await sleep((seconds * 1000) / (outages + 1))
    await fleet.charged()
    const killedAt = performance.now()
    await stage.server!.kill()
    const since = () => Math.round(performance.now() - killedAt)
    const started = stage.server!.start().then(since)
    for (let served = false; !served && since() < 3 * SERVING_WITHIN_MS;) {
      const seen = await fleet.ask(probe())
      sightings.push(seen)
      served = seen.status === 200
    }
    servingAfter.push(since())
    startedAfter.push(await started)
  }
  return { sightings, servingAfter, startedAfter }
}

function units(sightings: Sighting[], which: (one: Sighting) => boolean): number {
  return sightings.filter((one) => which(one)).reduce((sum, one) => sum + one.call.price, 0)
}

async function usedBy(stage: Stage, keys: LimitedKey[]): Promise<number> {
  const used = await stage.used()
  return keys.reduce((sum, key) => sum + (used.get(key.keyId) ?? 0), 0)
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
