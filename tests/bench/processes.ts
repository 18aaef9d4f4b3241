import { runLoad, writeWrkScript, type Measurement } from './load-generator.ts'
import { startApiUnderTest } from './servers.ts'
import type { RoundOptions } from './public-endpoints.ts'
import { logProgress } from './report.ts'
import type { BenchEnvironment } from './environment.ts'
import { workloads } from './workload.ts'

/** Measurements per round, with one process and with two. CPU of `postgres` is per request over both processes. */
export type ProcessesResult = { one: Measurement[]; two: Measurement[] }

const CONNECTIONS = 128

/**
 * Measures one API process, then two in parallel, each with its own load generator. How much the second process adds is
 * derived from the CPU time per request: on its own core, a process serves 1 s ÷ that time.
 */
export async function measureProcesses(
  environment: BenchEnvironment,
  { rounds, seconds }: RoundOptions,
): Promise<ProcessesResult> {
  const { apiServer, apiUrl, postgresPid, accounts, setNumbers, directory } = environment
  const { requests } = workloads(setNumbers)[0]!
  const keys = accounts.map(({ key }) => key)
  const script = await writeWrkScript(directory, 'processes', requests, keys)
  const second = await startApiUnderTest(apiUrl)
  const result: ProcessesResult = { one: [], two: [] }
  const run = (origin: string, pid: number, seconds: number) =>
    runLoad({ origin, connections: CONNECTIONS, seconds, script }, { node: pid, postgres: postgresPid })
  try {
    for (let round = -1; round < rounds; round++) {
      const time = round < 0 ? 2 : seconds
      const alone = await run(apiServer.origin, apiServer.pid, time)
      const [first, other] = await Promise.all([
        run(apiServer.origin, apiServer.pid, time),
        run(second.origin, second.pid, time),
      ])
      if (round < 0) continue
      result.one.push(alone)
      result.two.push({
        rps: first.rps + other.rps,
        p50_ms: (first.p50_ms + other.p50_ms) / 2,
        p99_ms: Math.max(first.p99_ms, other.p99_ms),
        cpu_us: {
          node: (first.cpu_us['node']! + other.cpu_us['node']!) / 2,
          postgres: (first.cpu_us['postgres']! * first.requests) / (first.requests + other.requests),
        },
      })
    }
    logProgress('measured one and two processes')
    return result
  } finally {
    await second.stop()
  }
}
