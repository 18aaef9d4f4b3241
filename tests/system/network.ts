import { isIndeterminate, type Observation } from './admission/invariants.ts'
import { formatViolations, checksFor, checkInvariants } from './admission/check-invariants.ts'
import { networkMutants } from './network/mutants.ts'
import { startProxiedNode, type FaultSchedule, type ProxiedNode, type ProxiedRun } from './network/proxied-node.ts'
import {
  atLeast,
  none,
  atMost,
  type Check,
  type Scenario,
  type ScenarioContext,
  type ScenarioResult,
} from './scenario.ts'
import { HealthProber } from './health-prober.ts'
import { SeededRandom } from './random.ts'

const MAX_RESPONSE_MS = 2000
const NORMAL_WITHIN_S = 5
const ERRORS_PERCENT = 0.1
const SLOWER_BY_MS = 50
const CUT_EVERY_MS = 250
/** By then a listener that was cut off without a word must have been missed. */
const DETECTION_SECONDS = 8

const FAULT_SCHEDULES: FaultSchedule[] = [
  {
    name: 'slow',
    // In each direction, between client and api and between api and PostgreSQL.
    begin: ({ toApi, toDatabase }) => {
      toApi.fault = { delayMs: SLOWER_BY_MS }
      toDatabase.fault = { delayMs: SLOWER_BY_MS }
    },
  },
  {
    name: 'cut',
    // A little slow too, so that there is mostly something on the way to be lost.
    begin: ({ toApi, toDatabase }) => {
      toApi.fault = { delayMs: 10 }
      toDatabase.fault = { delayMs: 10 }
    },
    every: {
      ms: CUT_EVERY_MS,
      act: ({ toApi, toDatabase }) => {
        toApi.resetConnections()
        toDatabase.resetConnections()
      },
    },
  },
  {
    name: 'half-open',
    begin: ({ toApi, toDatabase }) => {
      toApi.fault = { blackhole: true }
      toDatabase.fault = { blackhole: true }
    },
    end: ({ toApi, toDatabase }) => {
      toApi.blackholeConnections()
      toDatabase.blackholeConnections()
    },
  },
  {
    name: 'dripping',
    begin: ({ toApi, toDatabase }) => {
      toApi.fault = { bytesPerSecond: 2000 }
      toDatabase.fault = { bytesPerSecond: 1000 }
    },
  },
]

/** T13: a slow and a broken network, in front of the api and behind it. Nobody waits for long, no unit goes astray. */
export const network: Scenario = {
  name: 'network',
  covers: ['T13'],
  summary:
    'links to clients and to PostgreSQL are slow, cut, half-open or dripping: ≤ 0.1 % errors at +50 ms, I1 and I2 hold',
  options: {
    rate: {
      default: 60,
      description: 'requests a second past and as many over the link to the clients, for each fault',
    },
    seconds: {
      default: 15,
      description: 'how long each fault lasts; all four at once, each on an api process of its own',
    },
  },
  mutantOptions: { rate: 40, seconds: 4 },
  mutants: networkMutants,
  run,
}

async function run({
  seed,
  options,
  openEnvironment: openStage,
  onTeardown,
  log,
}: ScenarioContext): Promise<ScenarioResult> {
  const { rate = 1, seconds = 1 } = options
  const stage = await openStage({ nodes: 0, synchronousCommit: true, maxSeconds: 120 + 2 * seconds })
  const random = new SeededRandom(seed)
  const sites: ProxiedNode[] = []
  for (const fault of FAULT_SCHEDULES)
    sites.push(await startProxiedNode(stage, fault, { random, onTeardown, rate, seconds }))
  await Promise.all(sites.map((site) => site.node.waitUntilReady()))
  log(`${sites.length} api processes are ready, each with a fault of its own`)
  const pulse = new HealthProber(sites.map((site) => site.node))
  const runs = await Promise.all(sites.map((site) => site.run()))
  const busyMs = await pulse.stop()
  const all = runs.flatMap((run) => [...run.direct, ...run.viaProxy])
  const keys = sites.flatMap((site) => site.keys)
  const broken = await checkInvariants(stage, keys, all, { lossy: true })
  const slow = runs.find((run) => run.name === 'slow')!
  const others = runs.filter((run) => run !== slow)
  const waited = [...runs.flatMap((run) => run.direct), ...slow.viaProxy]
  const timedOut = waited.filter((one) => one.receivedAt - one.sentAt > MAX_RESPONSE_MS + busyMs)
  const unanswered = waited.filter((one) => one.status === 0)
  return {
    checks: [
      atMost(`errors at +${SLOWER_BY_MS} ms each way, in %`, ERRORS_PERCENT, errorPercent(slow)),
      none('answers that took over 2 s, and a health check', timedOut.length),
      none('requests without an answer, but for broken links to clients', unanswered.length),
      ...checksFor(broken),
      ...others.flatMap(recoveryChecks),
      ...(seconds < DETECTION_SECONDS ? [] : [none('api processes with a stale catalog 10 s after', countStale(runs))]),
      atLeast('requests at +50 ms', (rate * seconds) / 2, slow.direct.length + slow.viaProxy.length),
    ],
    measurements: {
      requests: all.length,
      'slowest health check, ms': busyMs,
      ...Object.fromEntries(runs.map((run) => [run.name, figuresOf(run)])),
    },
    failures: [...formatViolations(broken), ...[...timedOut, ...unanswered].slice(0, 8).map(describe)],
  }
}

/** That the fault was there, and that it left nothing behind. */
function recoveryChecks({ name, direct, viaProxy, recoveredAfterSeconds, broken }: ProxiedRun): Check[] {
  const goals = [atMost(`${name}: normal again, seconds after`, NORMAL_WITHIN_S, recoveredAfterSeconds)]
  if (name === 'dripping') return goals
  return [
    ...goals,
    atLeast(`${name}: connections broken`, 5, broken),
    atLeast(`${name}: requests that it cost`, 5, [...direct, ...viaProxy].filter(isIndeterminate).length),
  ]
}

function errorPercent({ direct, viaProxy }: ProxiedRun): number {
  const all = [...direct, ...viaProxy]
  return Math.round((all.filter(isIndeterminate).length / Math.max(1, all.length)) * 100_000) / 1000
}

function countStale(runs: ProxiedRun[]): number {
  return runs.filter((run) => !run.fresh).length
}

function figuresOf(run: ProxiedRun): Record<string, number> {
  const slowest = (all: Observation[]) => Math.round(Math.max(0, ...all.map((one) => one.receivedAt - one.sentAt)))
  return {
    requests: run.direct.length + run.viaProxy.length,
    refused: [...run.direct, ...run.viaProxy].filter((one) => one.status === 503).length,
    unanswered: [...run.direct, ...run.viaProxy].filter((one) => one.status === 0).length,
    'slowest past the link, ms': slowest(run.direct),
    'slowest over the link, ms': slowest(run.viaProxy),
    'normal after, s': run.recoveredAfterSeconds,
  }
}

function describe(one: Observation): string {
  return `${one.call.name} answered ${one.status} after ${Math.round(one.receivedAt - one.sentAt)} ms ${one.error ?? ''}`
}
