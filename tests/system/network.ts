import { isUnknown, type Sighting } from './admission/invariants.ts'
import { failuresOf, goalsOf, judge } from './admission/check-invariants.ts'
import { networkPlants } from './network/mutants.ts'
import { openSite, type Fault, type Site, type SiteRun } from './network/proxied-node.ts'
import { atLeast, none, within, type Goal, type Proof, type ProofContext, type ProofResult } from './scenario.ts'
import { Pulse } from './health-prober.ts'
import { SeededRandom } from './random.ts'

const HANGS_AFTER_MS = 2000
const NORMAL_WITHIN_S = 5
const ERRORS_PERCENT = 0.1
const SLOWER_BY_MS = 50
const CUT_EVERY_MS = 250
/** By then a listener that was cut off without a word must have been missed. */
const MISSED_AFTER_S = 8

const FAULTS: Fault[] = [
  {
    name: 'slow',
    // In each direction, between client and api and between api and PostgreSQL.
    begin: ({ toApi, toDatabase }) => {
      toApi.manner = { delayMs: SLOWER_BY_MS }
      toDatabase.manner = { delayMs: SLOWER_BY_MS }
    },
  },
  {
    name: 'cut',
    // A little slow too, so that there is mostly something on the way to be lost.
    begin: ({ toApi, toDatabase }) => {
      toApi.manner = { delayMs: 10 }
      toDatabase.manner = { delayMs: 10 }
    },
    every: {
      ms: CUT_EVERY_MS,
      act: ({ toApi, toDatabase }) => {
        toApi.cut()
        toDatabase.cut()
      },
    },
  },
  {
    name: 'half-open',
    begin: ({ toApi, toDatabase }) => {
      toApi.manner = { silent: true }
      toDatabase.manner = { silent: true }
    },
    end: ({ toApi, toDatabase }) => {
      toApi.lose()
      toDatabase.lose()
    },
  },
  {
    name: 'dripping',
    begin: ({ toApi, toDatabase }) => {
      toApi.manner = { bytesPerSecond: 2000 }
      toDatabase.manner = { bytesPerSecond: 1000 }
    },
  },
]

/** T13: a slow and a broken network, in front of the api and behind it. Nobody waits for long, no unit goes astray. */
export const network: Proof = {
  name: 'network',
  covers: ['T13'],
  summary:
    'links to clients and to PostgreSQL are slow, cut, half-open or dripping: ≤ 0.1 % errors at +50 ms, I1 and I2 hold',
  options: {
    rate: { default: 60, what: 'requests a second past and as many over the link to the clients, for each fault' },
    seconds: { default: 15, what: 'how long each fault lasts; all four at once, each on an api process of its own' },
  },
  smallLoad: { rate: 40, seconds: 4 },
  plants: networkPlants,
  run,
}

async function run({ seed, options, stage: openStage, stopAtEnd, say }: ProofContext): Promise<ProofResult> {
  const { rate = 1, seconds = 1 } = options
  const stage = await openStage({ nodes: 0, durable: true, seconds: 120 + 2 * seconds })
  const random = new SeededRandom(seed)
  const sites: Site[] = []
  for (const fault of FAULTS) sites.push(await openSite(stage, fault, { random, stopAtEnd, rate, seconds }))
  await Promise.all(sites.map((site) => site.node.ready()))
  say(`${sites.length} api processes are ready, each with a fault of its own`)
  const pulse = new Pulse(sites.map((site) => site.node))
  const runs = await Promise.all(sites.map((site) => site.run()))
  const busyMs = await pulse.stop()
  const all = runs.flatMap((one) => [...one.past, ...one.over])
  const keys = sites.flatMap((site) => site.keys)
  const broken = await judge(stage, keys, all, { lossy: true })
  const slow = runs.find((one) => one.name === 'slow')!
  const others = runs.filter((one) => one !== slow)
  const waited = [...runs.flatMap((one) => one.past), ...slow.over]
  const hung = waited.filter((one) => one.gotAt - one.sentAt > HANGS_AFTER_MS + busyMs)
  const unanswered = waited.filter((one) => one.status === 0)
  return {
    goals: [
      within(`errors at +${SLOWER_BY_MS} ms each way, in %`, ERRORS_PERCENT, percentOf(slow)),
      none('answers that took over 2 s, and a health check', hung.length),
      none('requests without an answer, but for broken links to clients', unanswered.length),
      ...goalsOf(broken),
      ...others.flatMap(aliveGoals),
      ...(seconds < MISSED_AFTER_S ? [] : [none('api processes with a stale catalog 10 s after', staleOnes(runs))]),
      atLeast('requests at +50 ms', (rate * seconds) / 2, slow.past.length + slow.over.length),
    ],
    figures: {
      requests: all.length,
      'slowest health check, ms': busyMs,
      ...Object.fromEntries(runs.map((one) => [one.name, figuresOf(one)])),
    },
    failures: [...failuresOf(broken), ...[...hung, ...unanswered].slice(0, 8).map(describe)],
  }
}

/** That the fault was there, and that it left nothing behind. */
function aliveGoals({ name, past, over, normalAfter, broken }: SiteRun): Goal[] {
  const goals = [within(`${name}: normal again, seconds after`, NORMAL_WITHIN_S, normalAfter)]
  if (name === 'dripping') return goals
  return [
    ...goals,
    atLeast(`${name}: connections broken`, 5, broken),
    atLeast(`${name}: requests that it cost`, 5, [...past, ...over].filter(isUnknown).length),
  ]
}

function percentOf({ past, over }: SiteRun): number {
  const all = [...past, ...over]
  return Math.round((all.filter(isUnknown).length / Math.max(1, all.length)) * 100_000) / 1000
}

function staleOnes(runs: SiteRun[]): number {
  return runs.filter((one) => !one.fresh).length
}

function figuresOf(run: SiteRun): Record<string, number> {
  const slowest = (all: Sighting[]) => Math.round(Math.max(0, ...all.map((one) => one.gotAt - one.sentAt)))
  return {
    requests: run.past.length + run.over.length,
    refused: [...run.past, ...run.over].filter((one) => one.status === 503).length,
    unanswered: [...run.past, ...run.over].filter((one) => one.status === 0).length,
    'slowest past the link, ms': slowest(run.past),
    'slowest over the link, ms': slowest(run.over),
    'normal after, s': run.normalAfter,
  }
}

function describe(one: Sighting): string {
  return `${one.call.name} answered ${one.status} after ${Math.round(one.gotAt - one.sentAt)} ms ${one.problem ?? ''}`
}
