import type { Observation } from './admission/invariants.ts'
import { randomCall, type Call } from './admission/calls.ts'
import { createUnlimitedKeys } from './admission/observe.ts'
import type { ApiNode } from '../support/api-node.ts'
import { reconcileCharges } from './reconcile-charges.ts'
import { atLeast, exactly, none, type Scenario, type ScenarioContext, type ScenarioResult } from './scenario.ts'
import { SeededRandom } from './random.ts'
import { LoadBalancer } from './rolling-restart/load-balancer.ts'
import { rollingMutants } from './rolling-restart/mutants.ts'
import type { TestEnvironment } from './test-environment.ts'
import { TrafficGenerator } from './traffic-generator.ts'

const TARGET_LOAD = 0.7
/** Five times what the balancer needs to see that a process is not ready. */
const DRAIN_MS = 1000
const WARM_S = 2
const MEASURE_S = 4

/** T16: api processes are restarted one after another behind a load balancer; no request fails. */
export const rolling: Scenario = {
  name: 'rolling-restart',
  covers: ['T16'],
  summary: 'restarts api processes behind a balancer, one after another, at 0.7 of capacity: not one failed request',
  options: {
    nodes: { default: 2, description: 'api processes' },
    clients: { default: 32, description: 'requests under way at once' },
    keys: { default: 200, description: 'keys' },
    restarts: { default: 20, description: 'restarts, one after another' },
    requests: { default: 200_000, description: 'requests at least, at 0.7 of what the processes manage' },
  },
  mutantOptions: { restarts: 4, requests: 2000 },
  mutants: rollingMutants,
  run,
}

async function run({
  seed,
  options,
  openEnvironment: openStage,
  onTeardown,
  log,
}: ScenarioContext): Promise<ScenarioResult> {
  const { nodes = 1, clients = 1, keys: count = 1, restarts = 1, requests = 1 } = options
  const stage = await openStage({ nodes: 0, synchronousCommit: true, maxSeconds: 120 + restarts * 10 + requests / 100 })
  const fleet = new Fleet(stage)
  for (let index = 0; index < nodes; index++) await fleet.start(index)
  const balancer = await LoadBalancer.open(fleet.nodes)
  onTeardown(() => balancer.close())
  const random = new SeededRandom(seed)
  const choice = { random, nodes: 1, sets: stage.market.sets.slice(0, 50).map((set) => set.set_number) }
  const keys = await createUnlimitedKeys(stage, count)
  const how = {
    next: () => withOccasionalNewConnection(random, randomCall(random.pick(keys), choice)),
    clients,
    retries: false,
  }

  const saturation = new TrafficGenerator([balancer.port], how)
  await sleep(WARM_S * 1000)
  const warm = saturation.observations.length
  await sleep(MEASURE_S * 1000)
  const capacity = (saturation.observations.length - warm) / MEASURE_S
  const measured = await saturation.stop()
  log(`capacity: ${Math.round(capacity)} requests a second`)

  const traffic = new TrafficGenerator([balancer.port], { ...how, rate: capacity * TARGET_LOAD })
  const started = performance.now()
  const killed = await restartAll(fleet, balancer, restarts, log)
  while (traffic.observations.length < requests) await sleep(100)
  const seen = await traffic.stop()
  const seconds = (performance.now() - started) / 1000

  const failed = seen.filter((one) => one.status !== one.call.expectedStatus)
  const { lost, unaccounted, duplicates } = reconcileCharges([...measured, ...seen], await stage.creditsUsed())
  const latencies = seen.map((one) => one.receivedAt - one.sentAt).toSorted((a, b) => a - b)
  const rate = seen.length / seconds
  return {
    checks: [
      none('failed requests', failed.length),
      exactly('restarts', restarts, fleet.restarts),
      none('processes that did not end by themselves', killed),
      none('units lost, unexplained or given out twice', lost + unaccounted + duplicates),
      atLeast('requests', requests, seen.length),
      atLeast('rate, in % of 0.7 of capacity', 80, Math.round((rate / (capacity * TARGET_LOAD)) * 100)),
    ],
    measurements: {
      requests: seen.length,
      'capacity, requests a second': Math.round(capacity),
      'rate, requests a second': Math.round(rate),
      'p50, ms': round(latencies[latencies.length >> 1]!),
      'p99, ms': round(latencies[Math.floor(latencies.length * 0.99)]!),
      'slowest, ms': round(latencies.at(-1)!),
      'restart, s on average': round(fleet.seconds / Math.max(1, fleet.restarts)),
    },
    failures: failed.slice(0, 12).map((one) => describe(one, started)),
  }
}

/** Every fifth comes on a connection of its own; the others keep theirs, and so hardly ever need a new one. */
function withOccasionalNewConnection(random: SeededRandom, call: Call): Call {
  return random.next() < 0.2 ? { ...call, request: { ...call.request, localAddress: '127.0.0.1' } } : call
}

/** One after another, each only when the one before serves again. How many had to be killed. */
async function restartAll(
  fleet: Fleet,
  balancer: LoadBalancer,
  restarts: number,
  say: (text: string) => void,
): Promise<number> {
  let killed = 0
  for (let restartIndex = 0; restartIndex < restarts; restartIndex++) {
    const index = restartIndex % fleet.nodes.length
    if (!(await fleet.restart(index))) killed++
    await balancer.waitUntilReady(index)
    if ((restartIndex + 1) % 5 === 0) say(`${restartIndex + 1} restarts`)
  }
  return killed
}

/** The api processes, each always on the same port. */
class Fleet {
  readonly nodes: ApiNode[] = []
  restarts = 0
  seconds = 0
  readonly #stage: TestEnvironment

  constructor(stage: TestEnvironment) {
    this.#stage = stage
  }

  async start(index: number): Promise<void> {
    const port = this.nodes[index]?.port
    const node = await this.#stage.startNode({
      env: { DRAIN_MS: String(DRAIN_MS) },
      ...(port !== undefined && { port }),
    })
    this.nodes[index] = node
    await node.waitUntilReady()
  }

  /** SIGTERM, and another one in its place. Whether it ended by itself. */
  async restart(index: number): Promise<boolean> {
    const started = performance.now()
    const ended = await this.nodes[index]!.stop()
    await this.start(index)
    this.restarts++
    this.seconds += (performance.now() - started) / 1000
    return ended
  }
}

function describe(one: Observation, started: number): string {
  const at = ((one.sentAt - started) / 1000).toFixed(2)
  return `${one.call.name} at ${at} s: ${one.status} after ${Math.round(one.receivedAt - one.sentAt)} ms ${one.error ?? ''}`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
