import { rssMb } from './process-stats.ts'
import { runLoad, writeWrkScript } from './load-generator.ts'
import { logProgress } from './report.ts'
import type { BenchEnvironment } from './environment.ts'
import { get, PRIVATE_PATHS, workloads } from './workload.ts'

/** Memory of the process after a number of requests. */
export type MemoryPoint = { requests: number; rss_mb: number }

/** Sends a mix of all requests until the requested number is reached, and samples the memory at every 5 %. */
export async function measureMemory(
  { apiServer, accounts, setNumbers, directory }: BenchEnvironment,
  wanted: number,
): Promise<MemoryPoint[]> {
  const shared = workloads(setNumbers).flatMap(({ name, requests }) =>
    name === 'batch' ? requests.slice(0, 20) : requests,
  )
  const allRequests = [...shared, ...Object.values(PRIVATE_PATHS).map(get)]
  const script = await writeWrkScript(
    directory,
    'everything',
    allRequests,
    accounts.map(({ key }) => key),
  )
  const points: MemoryPoint[] = [{ requests: 0, rss_mb: rssMb(apiServer.pid) }]
  let sent = 0
  while (sent < wanted) {
    sent += (await runLoad({ origin: apiServer.origin, connections: 256, seconds: 2, script }, {})).requests
    if (sent < Math.min(wanted, (points.length * wanted) / 20)) continue
    points.push({ requests: sent, rss_mb: rssMb(apiServer.pid) })
    logProgress(`${sent} requests: ${points.at(-1)!.rss_mb} MB`)
  }
  return points
}
