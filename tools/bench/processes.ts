import { runLoad, writeWrkScript, type Measurement } from './load-generator.ts'
import { startApiUnderTest } from './servers.ts'
import type { RoundOptions } from './public-endpoints.ts'
import { logProgress } from './report.ts'
import type { BenchEnvironment } from './environment.ts'
import { workloads } from './workload.ts'

/** By round: one process alone; two at once. CPU of `postgres` is a request of all of them. */
export type ProcessesResult = { one: Measurement[]; two: Measurement[] }

const CONNECTIONS = 128

/**
 * One api process, then two side by side, each with a load of its own. Whether a second process adds as much as the first
 * is read off what a request costs each of them: on a core of its own a process serves 1 s ÷ that cost.
 */
export async function measureProcesses(
  stage: BenchEnvironment,
  { rounds, seconds }: RoundOptions,
): Promise<ProcessesResult> {
  const { api, apiUrl, postgresPid, accounts, setNumbers, directory } = stage
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
      const alone = await run(api.origin, api.pid, time)
      const [first, other] = await Promise.all([run(api.origin, api.pid, time), run(second.origin, second.pid, time)])
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
    logProgress('one and two processes measured')
    return result
  } finally {
    await second.stop()
  }
}
