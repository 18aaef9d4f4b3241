import { cpuUs, rssMb } from '../process-stats.ts'
import { runLoad, writeWrkScript } from '../load-generator.ts'
import { median, round3 } from '../statistics.ts'
import { apiKeyFor } from './population.ts'
import { scatteredAccountId, type ScaleTarget } from './target.ts'
import { walBytes } from './storage.ts'

export type RequestCost = {
  requests_per_second: number
  node_cpu_us: number
  postgres_cpu_us: number
  standby_cpu_us: number
  wal_bytes: number
}

/** The paths to request, and the number of accounts that request them. */
export type LoadSpec = { name: string; paths: string[]; accounts: number }

/** Writes a wrk script in which the accounts cycle through the paths. */
export function writeTargetScript(
  directory: string,
  { name, paths, accounts }: LoadSpec,
  { population }: ScaleTarget,
): Promise<string> {
  const keys = Array.from({ length: accounts }, (_, n) => apiKeyFor(scatteredAccountId(n, population)))
  const requests = paths.map((path) => ({ method: 'GET' as const, path: `/api/v1${path}` }))
  return writeWrkScript(directory, name, requests, keys)
}

const ROUNDS = 5
const SECONDS = 4
const CONNECTIONS = 64
/** Low enough that nothing is shed: with more queued, a second request of an account gets 503, and all must be 200. */
export const PRIVATE_CONNECTIONS = 16

/** Measures the cost per request for each layout of processes, interleaved. */
export async function measureCosts(
  layouts: ScaleTarget[][],
  script: string,
  postgres: { primary: number; standby?: number },
  connections = CONNECTIONS,
): Promise<RequestCost[]> {
  const rounds: RequestCost[][] = layouts.map(() => [])
  for (let round = -1; round < ROUNDS; round++) {
    for (const [index, sides] of layouts.entries()) {
      // Round -1 is a warm-up.
      const cost = await measureCost(sides, { script, connections, isWarmUp: round < 0 }, postgres)
      if (round >= 0) rounds[index]!.push(cost)
    }
  }
  return rounds.map((costs) => {
    const middle = (name: keyof RequestCost) => round3(median(costs.map((cost) => cost[name])))
    return {
      requests_per_second: Math.round(middle('requests_per_second')),
      node_cpu_us: middle('node_cpu_us'),
      postgres_cpu_us: middle('postgres_cpu_us'),
      standby_cpu_us: middle('standby_cpu_us'),
      wal_bytes: Math.round(middle('wal_bytes')),
    }
  })
}

async function measureCost(
  sides: ScaleTarget[],
  asked: { script: string; connections: number; isWarmUp: boolean },
  { primary, standby }: { primary: number; standby?: number },
): Promise<RequestCost> {
  const sampleUsage = async () => ({
    node: (await Promise.all(sides.map((side) => cpuUs(side.node.pid!)))).reduce((sum, us) => sum + us, 0),
    primary: await cpuUs(primary),
    standby: standby === undefined ? 0 : await cpuUs(standby),
    wal: await walBytes(sides[0]!.url),
  })
  const before = await sampleUsage()
  // The same number of connections per process: with fewer, charges would form smaller batches and cost more per call.
  const loads = await Promise.all(
    sides.map(({ node: { origin } }) => runLoad({ origin, seconds: SECONDS, ...asked }, {})),
  )
  const after = await sampleUsage()
  const requests = loads.reduce((sum, load) => sum + load.requests, 0)
  return {
    requests_per_second: loads.reduce((sum, load) => sum + load.rps, 0),
    node_cpu_us: (after.node - before.node) / requests,
    postgres_cpu_us: (after.primary - before.primary) / requests,
    standby_cpu_us: (after.standby - before.standby) / requests,
    wal_bytes: (after.wal - before.wal) / requests,
  }
}

/** Samples the memory of an API process before the first request and after each 10 % of them. */
export async function sampleMemoryUnderLoad(
  { node }: ScaleTarget,
  script: string,
  requests: number,
): Promise<number[]> {
  const series = [rssMb(node.pid!)]
  for (let done = 0; done < requests;) {
    const measured = await runLoad({ origin: node.origin, connections: CONNECTIONS, seconds: 5, script }, {})
    done += measured.requests
    while (series.length <= Math.min(10, Math.floor((done / requests) * 10))) series.push(rssMb(node.pid!))
  }
  return series
}
