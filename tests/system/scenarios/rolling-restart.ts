import { setTimeout as sleep } from 'node:timers/promises'
import type { Observation } from './admission/invariants.ts'
import { randomCall, type Call } from './admission/calls.ts'
import { createUnlimitedKeys } from './admission/observe.ts'
import type { ApiNode } from '../../support/api-node.ts'
import { reconcileCharges } from '../harness/reconcile-charges.ts'
import {
  atLeast,
  exactly,
  none,
  type Scenario,
  type ScenarioContext,
  type ScenarioResult,
} from '../harness/scenario.ts'
import { SeededRandom } from '../harness/random.ts'
import { LoadBalancer } from './rolling-restart/load-balancer.ts'
import { rollingMutants } from './rolling-restart/mutants.ts'
import type { TestEnvironment } from '../harness/test-environment.ts'
import { TrafficGenerator } from '../harness/traffic-generator.ts'

const TARGET_LOAD = 0.7
/** Five times as long as the balancer needs to notice that a process isn't ready. */
const DRAIN_MS = 1000
const WARM_S = 2
const MEASURE_S = 4

/** API processes are restarted one after another behind a load balancer; no request fails. */
export const rollingRestart = {
  name: 'rolling-restart',
  summary: 'restarts API processes one after another behind a load balancer at 0.7 of capacity: no failed request',
  options: {
    nodes: { default: 2, description: 'API processes' },
    clients: { default: 32, description: 'requests in flight' },
    keys: { default: 200, description: 'keys' },
    restarts: { default: 20, description: 'number of restarts' },
    requests: { default: 200_000, description: 'minimum number of requests, sent at 0.7 of capacity' },
  },
  mutantOptions: { restarts: 4, requests: 2000 },
  mutants: rollingMutants,
  run,
} satisfies Scenario

async function run({ seed, options, openEnvironment, onTeardown, log }: ScenarioContext): Promise<ScenarioResult> {
  const { nodes = 1, clients = 1, keys: count = 1, restarts = 1, requests = 1 } = options
  const environment = await openEnvironment({
    nodes: 0,
    synchronousCommit: true,
    maxSeconds: 120 + restarts * 10 + requests / 100,
  })
  const fleet = new Fleet(environment)
  for (let index = 0; index < nodes; index++) await fleet.start(index)
  const balancer = await LoadBalancer.open(fleet.nodes)
  onTeardown(() => balancer.close())
  const random = new SeededRandom(seed)
  const choice = { random, nodes: 1, sets: environment.market.sets.slice(0, 50).map((set) => set.set_number) }
  const keys = await createUnlimitedKeys(environment, count)
  const trafficOptions = {
    next: () => withOccasionalNewConnection(random, randomCall(random.pick(keys), choice)),
    clients,
    retries: false,
  }

  const saturation = new TrafficGenerator([balancer.port], trafficOptions)
  await sleep(WARM_S * 1000)
  const warmUpCount = saturation.observations.length
  await sleep(MEASURE_S * 1000)
  const capacity = (saturation.observations.length - warmUpCount) / MEASURE_S
  const measured = await saturation.stop()
  log(`capacity: ${Math.round(capacity)} requests per second`)

  const traffic = new TrafficGenerator([balancer.port], { ...trafficOptions, rate: capacity * TARGET_LOAD })
  const started = performance.now()
  const killed = await restartAll(fleet, balancer, restarts, log)
  while (traffic.observations.length < requests) await sleep(100)
  const observations = await traffic.stop()
  const seconds = (performance.now() - started) / 1000

  const failed = observations.filter((observation) => observation.status !== observation.call.expectedStatus)
  const { lost, unaccounted, duplicates } = reconcileCharges(
    [...measured, ...observations],
    await environment.creditsUsed(),
  )
  const latencies = observations
    .map((observation) => observation.receivedAt - observation.sentAt)
    .toSorted((a, b) => a - b)
  const rate = observations.length / seconds
  return {
    checks: [
      none('failed requests', failed.length),
      exactly('restarts', restarts, fleet.restarts),
      none('processes that had to be killed', killed),
      none('credits lost, unexplained or reported twice', lost + unaccounted + duplicates),
      atLeast('requests', requests, observations.length),
      atLeast('rate, % of 0.7 × capacity', 80, Math.round((rate / (capacity * TARGET_LOAD)) * 100)),
    ],
    measurements: {
      requests: observations.length,
      'capacity, requests per second': Math.round(capacity),
      'rate, requests per second': Math.round(rate),
      'p50, ms': round(latencies[latencies.length >> 1]!),
      'p99, ms': round(latencies[Math.floor(latencies.length * 0.99)]!),
      'slowest, ms': round(latencies.at(-1)!),
      'average restart, s': round(fleet.seconds / Math.max(1, fleet.restarts)),
    },
    failures: failed.slice(0, 12).map((observation) => describe(observation, started)),
  }
}

/** Sends every fifth call on a new connection; the others use keep-alive and hardly ever need one. */
function withOccasionalNewConnection(random: SeededRandom, call: Call): Call {
  return random.next() < 0.2 ? { ...call, request: { ...call.request, localAddress: '127.0.0.1' } } : call
}

/**
 * Restarts one process after another, each only when the previous one is serving again. Returns how many had to be
 * killed.
 */
async function restartAll(
  fleet: Fleet,
  balancer: LoadBalancer,
  restarts: number,
  log: (text: string) => void,
): Promise<number> {
  let killed = 0
  for (let restartIndex = 0; restartIndex < restarts; restartIndex++) {
    const index = restartIndex % fleet.nodes.length
    if (!(await fleet.restart(index))) killed++
    await balancer.waitUntilReady(index)
    if ((restartIndex + 1) % 5 === 0) log(`${restartIndex + 1} restarts`)
  }
  return killed
}

/** The API processes; each keeps its port across restarts. */
class Fleet {
  readonly nodes: ApiNode[] = []
  restarts = 0
  seconds = 0
  readonly #environment: TestEnvironment

  constructor(environment: TestEnvironment) {
    this.#environment = environment
  }

  async start(index: number): Promise<void> {
    const port = this.nodes[index]?.port
    const node = await this.#environment.startNode({
      env: { DRAIN_MS: String(DRAIN_MS) },
      ...(port !== undefined && { port }),
    })
    this.nodes[index] = node
    await node.waitUntilReady()
  }

  /** Sends SIGTERM and starts a replacement. Returns whether the process exited by itself. */
  async restart(index: number): Promise<boolean> {
    const started = performance.now()
    const exited = await this.nodes[index]!.stop()
    await this.start(index)
    this.restarts++
    this.seconds += (performance.now() - started) / 1000
    return exited
  }
}

function describe(observation: Observation, started: number): string {
  const seconds = ((observation.sentAt - started) / 1000).toFixed(2)
  return `${observation.call.name} at ${seconds} s: ${observation.status} after ${Math.round(observation.receivedAt - observation.sentAt)} ms ${observation.error ?? ''}`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
