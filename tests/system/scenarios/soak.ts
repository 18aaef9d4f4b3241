import { setTimeout as sleep } from 'node:timers/promises'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createUnlimitedKeys } from './admission/observe.ts'
import {
  atLeast,
  none,
  atMost,
  type Check,
  type Scenario,
  type ScenarioContext,
  type ScenarioResult,
} from '../harness/scenario.ts'
import { SoakLoad } from './soak/load.ts'
import { soakMutants } from './soak/mutants.ts'
import { median, trendOf } from './soak/trend.ts'

const MB = 1_048_576
const HOUR_MS = 3_600_000
const FULL_MINUTES = 60
const MAX_MB_PER_HOUR = 1
/**
 * In its first minutes, a process compiles hot code, which grew the heap by up to 13 MB per hour. Until then, only
 * coarse leaks are detectable.
 */
const WARM = { minutes: 10, maxMbPerHour: 50 }
/** Idle connections are closed after 10 s; after that, a sample is taken every 5 s. */
const COOL_DOWN_MS = 20_000
/** Share of the samples dropped at the beginning, while code is being compiled and tables grow to their size. */
const WARM_UP_SHARE = 0.25

/** An API process neither grows nor leaks under an hour of load. */
export const soak = {
  name: 'soak',
  summary: 'an hour of load: the heap after GC grows by less than 1 MB per hour, no file descriptor leaks',
  options: {
    minutes: { default: FULL_MINUTES, description: 'duration of the load in minutes' },
    nodes: { default: 1, description: 'API processes' },
    rate: { default: 100, description: 'requests per second' },
    keys: { default: 50, description: 'keys' },
  },
  mutantOptions: { minutes: 2, rate: 150 },
  mutants: soakMutants,
  run,
} satisfies Scenario

type Sample = { at: number; heap: number; rss: number; descriptors: number }

type Span = { from: number; until: number }

async function run({ seed, options, openEnvironment, onTeardown, log }: ScenarioContext): Promise<ScenarioResult> {
  const { minutes = 1, nodes = 1, rate = 1, keys: count = 1 } = options
  const folder = await mkdtemp(join(tmpdir(), 'brickmark-soak-'))
  onTeardown(() => rm(folder, { recursive: true, force: true }))
  const environment = await openEnvironment({ nodes: 0, synchronousCommit: true, maxSeconds: 180 + minutes * 60 })
  const files = Array.from({ length: nodes }, (_, index) => join(folder, `${index}.jsonl`))
  const sampler = new URL('soak/sampler.ts', import.meta.url).href
  for (const file of files) {
    environment.nodes.push(
      await environment.startNode({ env: { NODE_OPTIONS: `--import ${sampler}`, SAMPLES_FILE: file } }),
    )
  }
  await Promise.all(environment.nodes.map((node) => node.waitUntilReady()))
  const keys = await createUnlimitedKeys(environment, count)
  // The number of open connections depends on the load, so leaks are measured at rest.
  await coolDown()
  const from = Date.now()
  const load = new SoakLoad(environment, keys, { seed, rate })
  for (let minute = 0; minute < minutes; minute++) {
    await sleep(60_000)
    if ((minute + 1) % 5 === 0) log(`${minute + 1} minutes, ${load.requests} requests`)
  }
  await load.stop()
  const until = Date.now()
  await coolDown()
  const samples = await Promise.all(files.map(readSamples))
  const growths = samples.map((all) => measureGrowth(all, { from, until }))
  return {
    checks: [
      ...growths.flatMap((growth, index) => checksFor(growth, nodes > 1 ? `process ${index + 1}: ` : '', minutes)),
      none('unexpected responses', load.unexpected.length),
      atLeast('requests', minutes * 60 * rate * 0.8, load.requests),
      atLeast('samples', minutes * 6, Math.min(...growths.map((growth) => growth.samples))),
    ],
    measurements: {
      requests: load.requests,
      'catalog changes': load.changes,
      ...Object.fromEntries(growths.map((growth, index) => [`process ${index + 1}`, measurementsOf(growth)])),
    },
    failures: load.unexpected.slice(0, 8),
  }
}

function coolDown(): Promise<void> {
  return sleep(COOL_DOWN_MS)
}

async function readSamples(file: string): Promise<Sample[]> {
  const lines = (await readFile(file, 'utf8')).trim().split('\n')
  return lines.map((line) => JSON.parse(line) as Sample)
}

type Growth = ReturnType<typeof measureGrowth>

function measureGrowth(all: Sample[], { from, until }: Span) {
  const underLoad = all.filter(({ at }) => at >= from && at <= until)
  const samples = underLoad.slice(Math.floor(underLoad.length * WARM_UP_SHARE))
  const trend = (value: (sample: Sample) => number) =>
    trendOf(samples.map((sample) => ({ x: sample.at / HOUR_MS, y: value(sample) })))
  return {
    samples: samples.length,
    heap: trend((sample) => sample.heap / MB),
    rss: trend((sample) => sample.rss / MB),
    lastHeap: samples.at(-1)!.heap / MB,
    heapByQuarter: quartersOf(samples.map((sample) => sample.heap / MB)),
    lastRss: samples.at(-1)!.rss / MB,
    descriptors: {
      before: all.findLast(({ at }) => at < from)!.descriptors,
      underLoad: Math.max(...samples.map((sample) => sample.descriptors)),
      after: all.at(-1)!.descriptors,
    },
  }
}

function quartersOf(values: number[]): number[] {
  const size = Math.ceil(values.length / 4)
  return [0, 1, 2, 3].map((quarter) => median(values.slice(quarter * size, (quarter + 1) * size)))
}

/**
 * A few minutes can't distinguish a growth of 1 MB per hour from noise, so a shorter run fails only on significant
 * growth.
 */
function checksFor({ heap, descriptors }: Growth, process: string, minutes: number): Check[] {
  const shortRun = minutes < FULL_MINUTES
  const growth = round(shortRun ? heap.slope - 2 * heap.error : heap.slope)
  const name = shortRun ? 'significant heap growth, MB per hour' : 'heap growth, MB per hour'
  return [
    atMost(`${process}${name}`, minutes < WARM.minutes ? WARM.maxMbPerHour : MAX_MB_PER_HOUR, growth),
    atMost(`${process}additional descriptors at rest`, 0, descriptors.after - descriptors.before),
  ]
}

function measurementsOf({
  heap,
  rss,
  lastHeap,
  heapByQuarter,
  lastRss,
  descriptors,
  samples,
}: Growth): Record<string, unknown> {
  return {
    samples,
    'heap growth, MB per hour': `${round(heap.slope)} ± ${round(heap.error)}`,
    'RSS growth, MB per hour': `${round(rss.slope)} ± ${round(rss.error)}`,
    'final heap, MB': round(lastHeap),
    // Shows whether growth continues or levels off.
    'heap by quarter, MB': heapByQuarter.map(round),
    'final RSS, MB': round(lastRss),
    descriptors: `${descriptors.before} before, up to ${descriptors.underLoad} under load, ${descriptors.after} after`,
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
