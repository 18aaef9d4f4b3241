import { isIndeterminate, type Observation } from './admission/invariants.ts'
import { formatViolations, checksFor, checkInvariants } from './admission/check-invariants.ts'
import { networkMutants } from './network/mutants.ts'
import { startProxiedNode, type FaultSchedule, type ProxiedNode, type ProxiedRun } from './network/proxied-node.ts'
import {
  atLeast,
  none,
  atMost,
  timing,
  type Check,
  type Scenario,
  type ScenarioContext,
  type ScenarioResult,
} from '../harness/scenario.ts'
import { HealthProber } from '../harness/health-prober.ts'
import { SeededRandom } from '../harness/random.ts'

const MAX_RESPONSE_MS = 2000
const NORMAL_WITHIN_S = 5
const ERRORS_PERCENT = 0.1
const SLOWER_BY_MS = 50
const CUT_EVERY_MS = 250
/** After this long, the API must have noticed that its listener was silently cut off. */
const DETECTION_SECONDS = 8

const FAULT_SCHEDULES: FaultSchedule[] = [
  {
    name: 'slow',
    // In each direction, between client and API and between API and PostgreSQL.
    begin: ({ apiProxy, databaseProxy }) => {
      apiProxy.fault = { delayMs: SLOWER_BY_MS }
      databaseProxy.fault = { delayMs: SLOWER_BY_MS }
    },
  },
  {
    name: 'cut',
    // Slightly delayed as well, so that there are usually bytes in flight to lose.
    begin: ({ apiProxy, databaseProxy }) => {
      apiProxy.fault = { delayMs: 10 }
      databaseProxy.fault = { delayMs: 10 }
    },
    every: {
      ms: CUT_EVERY_MS,
      act: ({ apiProxy, databaseProxy }) => {
        apiProxy.resetConnections()
        databaseProxy.resetConnections()
      },
    },
  },
  {
    name: 'half-open',
    begin: ({ apiProxy, databaseProxy }) => {
      apiProxy.fault = { blackhole: true }
      databaseProxy.fault = { blackhole: true }
    },
    end: ({ apiProxy, databaseProxy }) => {
      apiProxy.blackholeConnections()
      databaseProxy.blackholeConnections()
    },
  },
  {
    name: 'dripping',
    begin: ({ apiProxy, databaseProxy }) => {
      apiProxy.fault = { bytesPerSecond: 2000 }
      databaseProxy.fault = { bytesPerSecond: 1000 }
    },
  },
]

/**
 * A slow or broken network in front of the API and behind it. No request waits long, and every credit is accounted
 * for.
 */
export const network = {
  name: 'network',
  summary:
    'slow, cut, half-open or throttled links to clients and PostgreSQL: ≤ 0.1 % errors at +50 ms, I1 and I2 hold',
  options: {
    rate: {
      default: 60,
      description: 'requests per second sent directly, and as many through the faulty link, for each fault',
    },
    seconds: {
      default: 15,
      description: 'duration of the faults in seconds; all four run in parallel, each on its own API process',
    },
  },
  mutantOptions: { rate: 40, seconds: 4 },
  mutants: networkMutants,
  run,
} satisfies Scenario

async function run({ seed, options, openEnvironment, onTeardown, log }: ScenarioContext): Promise<ScenarioResult> {
  const { rate = 1, seconds = 1 } = options
  const environment = await openEnvironment({ nodes: 0, synchronousCommit: true, maxSeconds: 120 + 2 * seconds })
  const random = new SeededRandom(seed)
  const proxiedNodes: ProxiedNode[] = []
  for (const fault of FAULT_SCHEDULES)
    proxiedNodes.push(await startProxiedNode(environment, fault, { random, onTeardown, rate, seconds }))
  await Promise.all(proxiedNodes.map((proxied) => proxied.node.waitUntilReady()))
  log(`${proxiedNodes.length} API processes are ready, each with its own fault`)
  const prober = new HealthProber(proxiedNodes.map((proxied) => proxied.node))
  const runs = await Promise.all(proxiedNodes.map((proxied) => proxied.run()))
  const busyMs = await prober.stop()
  const all = runs.flatMap((run) => [...run.direct, ...run.viaProxy])
  const keys = proxiedNodes.flatMap((proxied) => proxied.keys)
  const violations = await checkInvariants(environment, keys, all, { lossy: true })
  const slow = runs.find((run) => run.name === 'slow')!
  const others = runs.filter((run) => run !== slow)
  const responsive = [...runs.flatMap((run) => run.direct), ...slow.viaProxy]
  const timedOut = responsive.filter(
    (observation) => observation.receivedAt - observation.sentAt > MAX_RESPONSE_MS + busyMs,
  )
  const withoutResponse = responsive.filter((observation) => observation.status === 0)
  return {
    checks: [
      timing(atMost(`errors at +${SLOWER_BY_MS} ms each way, %`, ERRORS_PERCENT, errorPercent(slow))),
      timing(none('responses over 2 s plus a health check', timedOut.length)),
      none('requests without a response on working links', withoutResponse.length),
      ...checksFor(violations),
      ...others.flatMap(recoveryChecks),
      ...(seconds < DETECTION_SECONDS ? [] : [none('API processes with a stale catalog 10 s after', countStale(runs))]),
      atLeast('requests at +50 ms', (rate * seconds) / 2, slow.direct.length + slow.viaProxy.length),
    ],
    measurements: {
      requests: all.length,
      'slowest health check, ms': busyMs,
      'responses over 2 s': timedOut.slice(0, 8).map(describe),
      ...Object.fromEntries(runs.map((run) => [run.name, measurementsOf(run)])),
    },
    failures: [...formatViolations(violations), ...withoutResponse.slice(0, 8).map(describe)],
  }
}

/** Checks that the fault had an effect and that the service recovered from it. */
function recoveryChecks({ name, direct, viaProxy, recoveredAfterSeconds, broken }: ProxiedRun): Check[] {
  const checks = [timing(atMost(`${name}: recovered after, s`, NORMAL_WITHIN_S, recoveredAfterSeconds))]
  if (name === 'dripping') return checks
  return [
    ...checks,
    atLeast(`${name}: broken connections`, 5, broken),
    atLeast(`${name}: requests affected`, 5, [...direct, ...viaProxy].filter(isIndeterminate).length),
  ]
}

function errorPercent({ direct, viaProxy }: ProxiedRun): number {
  const all = [...direct, ...viaProxy]
  return Math.round((all.filter(isIndeterminate).length / Math.max(1, all.length)) * 100_000) / 1000
}

function countStale(runs: ProxiedRun[]): number {
  return runs.filter((run) => !run.fresh).length
}

function measurementsOf(run: ProxiedRun): Record<string, number> {
  const slowest = (all: Observation[]) =>
    Math.round(Math.max(0, ...all.map((observation) => observation.receivedAt - observation.sentAt)))
  return {
    requests: run.direct.length + run.viaProxy.length,
    rejected: [...run.direct, ...run.viaProxy].filter((observation) => observation.status === 503).length,
    'without a response': [...run.direct, ...run.viaProxy].filter((observation) => observation.status === 0).length,
    'slowest direct response, ms': slowest(run.direct),
    'slowest response via the link, ms': slowest(run.viaProxy),
    'recovered after, s': run.recoveredAfterSeconds,
  }
}

function describe(observation: Observation): string {
  return `${observation.call.name} returned ${observation.status} after ${Math.round(observation.receivedAt - observation.sentAt)} ms ${observation.error ?? ''}`
}
