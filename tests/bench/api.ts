import { measureMemory, type MemoryPoint } from './memory.ts'
import type { Measurement } from './load-generator.ts'
import { measurePrivate, type PrivateResult } from './private-endpoints.ts'
import { measureProcesses, type ProcessesResult } from './processes.ts'
import { measurePublic, type PublicResult } from './public-endpoints.ts'
import { atLeast, atMost, type BenchReport, type Goal } from './report.ts'
import { median, medianRatio } from './statistics.ts'
import { withEnvironment } from './environment.ts'
import { PRIVATE_PATHS, type PrivateName, type PublicWorkload } from './workload.ts'

const PUBLIC: PublicWorkload[] = ['set', 'search', 'batch', 'history']
const PRIVATE = Object.keys(PRIVATE_PATHS) as PrivateName[]

export const SECTIONS: string[] = [...PUBLIC, ...PRIVATE, 'processes', 'memory']

/** Number of rounds, seconds per round, requests of the memory run, and the sections to run (all if empty). */
export type ApiOptions = { rounds: number; seconds: number; requests: number; only: string[] }

/** Benchmarks our API against bare Fastify, the floor, two Redis-based baselines and pgbench, interleaved in one run. */
export async function benchApi({ rounds, seconds, requests, only }: ApiOptions): Promise<BenchReport> {
  const selected = <N extends string>(names: N[]) => names.filter((name) => only.length === 0 || only.includes(name))
  return withEnvironment(async (env) => {
    const times = { rounds, seconds }
    const shared = selected(PUBLIC).length > 0 ? await measurePublic(env, selected(PUBLIC), times) : []
    const privateResults = await measurePrivate(env, selected(PRIVATE), times)
    const processes = selected(['processes']).length > 0 ? await measureProcesses(env, times) : undefined
    const memory = selected(['memory']).length > 0 ? await measureMemory(env, requests) : []
    return {
      benchmark: 'api',
      goals: [
        ...publicGoals(shared),
        ...privateGoals(privateResults),
        ...processesGoals(processes),
        ...memoryGoals(memory),
      ],
      figures: {
        rounds,
        seconds,
        public: shared.flatMap(({ workload, connections, series }) =>
          series.map(({ participant, measured }) => ({ workload, connections, participant, ...summarize(measured) })),
        ),
        private: privateResults.flatMap(({ name, connections, ours, pgbench }) => [
          { workload: name, connections, participant: 'ours', ...summarize(ours) },
          { workload: name, connections, participant: 'pgbench', ...summarize(pgbench) },
        ]),
        processes: processes && { one: summarize(processes.one), two: summarize(processes.two) },
        memory,
      },
    }
  })
}

function publicGoals(results: PublicResult[]): Goal[] {
  const series = (workload: PublicWorkload, participant: string, connections = 256) =>
    results
      .find((result) => result.workload === workload && result.connections === connections)
      ?.series.find((series) => series.participant === participant)?.measured
  const rps = (measured: Measurement) => measured.rps
  const cpu = (measured: Measurement) => measured.cpu_us['node']!
  const ratio = (
    value: (measured: Measurement) => number,
    over: Measurement[] | undefined,
    under: Measurement[] | undefined,
  ) => over && under && medianRatio(over.map(value), under.map(value))
  const ours = series('set', 'ours')
  return [
    atMost('/set: Node CPU ÷ the floor, 256 connections', 1.25, ratio(cpu, ours, series('set', 'floor'))),
    atMost('/set: Node CPU ÷ bare Fastify, 256 connections', 1.8, ratio(cpu, ours, series('set', 'bare'))),
    atLeast('/set: requests/s ÷ the usual stack', 1.8, ratio(rps, ours, series('set', 'usual'))),
    atMost('/set: bytes promoted per request', 300, ours && median(ours.map((one) => one.promoted_bytes))),
    atMost('batch of 100 ÷ one /set, Node CPU', 25, ratio(cpu, series('batch', 'ours'), ours)),
  ].flatMap((goal) => goal ?? [])
}

function privateGoals(results: PrivateResult[]): Goal[] {
  return results.flatMap(({ name, ours, pgbench }) => {
    const ratio = medianRatio(
      ours.map(({ rps }) => rps),
      pgbench.map(({ rps }) => rps),
    )
    return atLeast(`${PRIVATE_PATHS[name]}: requests/s ÷ pgbench, same SQL`, 0.5, ratio) ?? []
  })
}

function processesGoals(result: ProcessesResult | undefined): Goal[] {
  const cpu = (measured: Measurement[]) => measured.map(({ cpu_us }) => cpu_us['node']!)
  const ratio = result && 2 * medianRatio(cpu(result.one), cpu(result.two))
  return [atLeast('2 processes ÷ 1, each on its own core (from CPU per request)', 1.8, ratio)].flatMap(
    (goal) => goal ?? [],
  )
}

function memoryGoals(points: MemoryPoint[]): Goal[] {
  if (points.length < 3) return []
  const last = points.at(-1)!.rss_mb
  const half = Math.max(...points.slice(1, points.length >> 1).map((point) => point.rss_mb))
  return [
    atMost(`memory after ${points.at(-1)!.requests} requests, MB`, 400, last),
    atMost('memory growth in the second half, MB', 20, last - half),
  ].flatMap((goal) => goal ?? [])
}

/** Summarizes the rounds by their medians. */
function summarize(
  measured: {
    rps: number
    p50_ms: number
    p99_ms?: number
    promoted_bytes?: number
    cpu_us: Record<string, number>
  }[],
) {
  const medianOf = (value: (one: (typeof measured)[number]) => number) => median(measured.map(value))
  const processes = Object.keys(measured[0]?.cpu_us ?? {})
  return {
    rps: Math.round(medianOf(({ rps }) => rps)),
    p50_ms: rounded(medianOf(({ p50_ms }) => p50_ms)),
    ...(measured[0]?.p99_ms !== undefined && { p99_ms: rounded(medianOf(({ p99_ms }) => p99_ms!)) }),
    ...(measured[0]?.promoted_bytes !== undefined && {
      promoted_bytes: Math.round(medianOf(({ promoted_bytes }) => promoted_bytes!)),
    }),
    cpu_us: Object.fromEntries(processes.map((name) => [name, rounded(medianOf(({ cpu_us }) => cpu_us[name]!))])),
  }
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10
}
