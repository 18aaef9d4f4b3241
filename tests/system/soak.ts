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
} from './scenario.ts'
import { SoakLoad } from './soak/load.ts'
import { soakMutants } from './soak/mutants.ts'
import { median, trendOf } from './soak/trend.ts'

const MB = 1_048_576
const HOUR_MS = 3_600_000
const FULL_MINUTES = 60
const MAX_MB_PER_HOUR = 1
/** In its first minutes a process compiles what it runs often: 13 MB an hour were seen. Only a coarse leak shows by then. */
const WARM = { minutes: 10, mbAnHour: 50 }
/** Connections that nobody uses are closed after 10 s; then there is a sample every 5. */
const COOL_DOWN_MS = 20_000
/** Of the samples, from the beginning: code is still being compiled and tables grow to their size. */
const WARM_UP_SHARE = 0.25

/** T18: an api process under an hour of load grows by nothing and leaks nothing. */
export const soak: Scenario = {
  name: 'soak',
  covers: ['T18'],
  summary: 'an hour of load: the heap after collection grows by less than 1 MB an hour, file descriptors stay',
  options: {
    minutes: { default: FULL_MINUTES, description: 'how long' },
    nodes: { default: 1, description: 'api processes' },
    rate: { default: 100, description: 'requests a second' },
    keys: { default: 50, description: 'keys' },
  },
  mutantOptions: { minutes: 2, rate: 150 },
  mutants: soakMutants,
  run,
}

type Sample = { at: number; heap: number; rss: number; descriptors: number }

type Span = { from: number; until: number }

async function run({
  seed,
  options,
  openEnvironment: openStage,
  onTeardown,
  log,
}: ScenarioContext): Promise<ScenarioResult> {
  const { minutes = 1, nodes = 1, rate = 1, keys: count = 1 } = options
  const folder = await mkdtemp(join(tmpdir(), 'brickmark-soak-'))
  onTeardown(() => rm(folder, { recursive: true, force: true }))
  const stage = await openStage({ nodes: 0, synchronousCommit: true, maxSeconds: 180 + minutes * 60 })
  const files = Array.from({ length: nodes }, (_, index) => join(folder, `${index}.jsonl`))
  const sampler = new URL('soak/sampler.ts', import.meta.url).href
  for (const file of files) {
    stage.nodes.push(await stage.startNode({ env: { NODE_OPTIONS: `--import ${sampler}`, SAMPLES_FILE: file } }))
  }
  await Promise.all(stage.nodes.map((node) => node.waitUntilReady()))
  const keys = await createUnlimitedKeys(stage, count)
  // How many connections are open depends on how busy it is: what is left behind shows when it rests.
  await coolDown()
  const from = Date.now()
  const load = new SoakLoad(stage, keys, { seed, rate })
  for (let minute = 0; minute < minutes; minute++) {
    await new Promise((resolve) => setTimeout(resolve, 60_000))
    if ((minute + 1) % 5 === 0) log(`${minute + 1} minutes, ${load.answered} requests`)
  }
  await load.stop()
  const until = Date.now()
  await coolDown()
  const samples = await Promise.all(files.map(readSamples))
  const growths = samples.map((all) => measureGrowth(all, { from, until }))
  return {
    checks: [
      ...growths.flatMap((growth, index) => goalsOf(growth, nodes > 1 ? `process ${index + 1}: ` : '', minutes)),
      none('answers other than expected', load.unexpected.length),
      atLeast('requests', minutes * 60 * rate * 0.8, load.answered),
      atLeast('samples', minutes * 6, Math.min(...growths.map((growth) => growth.samples))),
    ],
    measurements: {
      requests: load.answered,
      'changes of the catalog': load.changes,
      ...Object.fromEntries(growths.map((growth, index) => [`process ${index + 1}`, figuresOf(growth)])),
    },
    failures: load.unexpected.slice(0, 8),
  }
}

function coolDown(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, COOL_DOWN_MS))
}

async function readSamples(file: string): Promise<Sample[]> {
  const lines = (await readFile(file, 'utf8')).trim().split('\n')
  return lines.map((line) => JSON.parse(line) as Sample)
}

type Growth = ReturnType<typeof measureGrowth>

function measureGrowth(all: Sample[], { from, until }: Span) {
  const underLoad = all.filter(({ at }) => at >= from && at <= until)
  const samples = underLoad.slice(Math.floor(underLoad.length * WARM_UP_SHARE))
  const trend = (of: (one: Sample) => number) =>
    trendOf(samples.map((sample) => ({ x: sample.at / HOUR_MS, y: of(sample) })))
  return {
    samples: samples.length,
    heap: trend((one) => one.heap / MB),
    rss: trend((one) => one.rss / MB),
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

/** A few minutes cannot tell a rise of 1 MB an hour from chance: a shorter run fails only when it is sure of one. */
function goalsOf({ heap, descriptors }: Growth, process: string, minutes: number): Check[] {
  const shortRun = minutes < FULL_MINUTES
  const rise = round(shortRun ? heap.slope - 2 * heap.error : heap.slope)
  const name = shortRun ? 'heap grows for sure by MB an hour' : 'heap grows by MB an hour'
  return [
    atMost(`${process}${name}`, minutes < WARM.minutes ? WARM.mbAnHour : MAX_MB_PER_HOUR, rise),
    atMost(`${process}descriptors at rest, more than before`, 0, descriptors.after - descriptors.before),
  ]
}

function figuresOf({
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
    'heap, MB an hour': `${round(heap.slope)} ± ${round(heap.error)}`,
    'resident memory, MB an hour': `${round(rss.slope)} ± ${round(rss.error)}`,
    'heap in the end, MB': round(lastHeap),
    // Whether a rise goes on or ebbs away.
    'heap by quarter, MB': heapByQuarter.map(round),
    'resident in the end, MB': round(lastRss),
    descriptors: `${descriptors.before} before, up to ${descriptors.underLoad} under load, ${descriptors.after} after`,
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
