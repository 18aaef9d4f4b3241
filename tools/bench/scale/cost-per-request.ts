import { cpuUs, rssMb } from '../process-stats.ts'
import { runLoad, writeWrkScript } from '../load-generator.ts'
import { median, round3 } from '../statistics.ts'
import { apiKeyFor } from './population.ts'
import { scatteredAccountId, type ScaleTarget } from './target.ts'
import { walBytes } from './storage.ts'

export type RequestCost = {
  requests_a_second: number
  node_cpu_us: number
  postgres_cpu_us: number
  standby_cpu_us: number
  wal_bytes: number
}

/** What is asked for, by how many of the accounts of a database. */
export type LoadSpec = { name: string; paths: string[]; accounts: number }

/** A script for wrk: so many accounts ask for each of these in turn. */
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
/** An account that asks twice at a time when as many wait as that is refused, and here every answer must be a 200. */
export const PRIVATE_CONNECTIONS = 16

/** What one request costs, with one arrangement of processes and another in turn. */
export async function measureCosts(
  layouts: ScaleTarget[][],
  script: string,
  postgres: { primary: number; standby?: number },
  connections = CONNECTIONS,
): Promise<RequestCost[]> {
  const rounds: RequestCost[][] = layouts.map(() => [])
  for (let round = -1; round < ROUNDS; round++) {
    for (const [index, sides] of layouts.entries()) {
      // The first round only warms up.
      const cost = await measureCost(sides, { script, connections, warmingUp: round < 0 }, postgres)
      if (round >= 0) rounds[index]!.push(cost)
    }
  }
  return rounds.map((costs) => {
    const middle = (name: keyof RequestCost) => round3(median(costs.map((cost) => cost[name])))
    return {
      requests_a_second: Math.round(middle('requests_a_second')),
      node_cpu_us: middle('node_cpu_us'),
      postgres_cpu_us: middle('postgres_cpu_us'),
      standby_cpu_us: middle('standby_cpu_us'),
      wal_bytes: Math.round(middle('wal_bytes')),
    }
  })
}

async function measureCost(
  sides: ScaleTarget[],
  asked: { script: string; connections: number; warmingUp: boolean },
  { primary, standby }: { primary: number; standby?: number },
): Promise<RequestCost> {
  const sampleUsage = async () => ({
    node: sides.reduce((sum, side) => sum + cpuUs(side.node.pid!), 0),
    primary: cpuUs(primary),
    standby: standby === undefined ? 0 : cpuUs(standby),
    wal: await walBytes(sides[0]!.url),
  })
  const before = await sampleUsage()
  // As many for each process: with fewer the statements of charges would be smaller, and dearer a call.
  const loads = await Promise.all(
    sides.map(({ node: { origin } }) => runLoad({ origin, seconds: SECONDS, ...asked }, {})),
  )
  const after = await sampleUsage()
  const requests = loads.reduce((sum, load) => sum + load.requests, 0)
  return {
    requests_a_second: loads.reduce((sum, load) => sum + load.rps, 0),
    node_cpu_us: (after.node - before.node) / requests,
    postgres_cpu_us: (after.primary - before.primary) / requests,
    standby_cpu_us: (after.standby - before.standby) / requests,
    wal_bytes: (after.wal - before.wal) / requests,
  }
}

/** Memory of an api process after each tenth of so many requests, the first before any of them. */
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
