import { rssMb } from './process-stats.ts'
import { load, writeScript } from './load-generator.ts'
import { say } from './report.ts'
import type { Stage } from './environment.ts'
import { get, PRIVATE_PATHS, workloads } from './workload.ts'

/** Memory of the process after so many requests. */
export type MemoryPoint = { requests: number; rss_mb: number }

/** Asks for a bit of everything until there were so many requests, and looks at the memory every twentieth of the way. */
export async function measureMemory(
  { ours, accounts, setNumbers, directory }: Stage,
  wanted: number,
): Promise<MemoryPoint[]> {
  const shared = workloads(setNumbers).flatMap(({ name, requests }) =>
    name === 'batch' ? requests.slice(0, 20) : requests,
  )
  const everything = [...shared, ...Object.values(PRIVATE_PATHS).map(get)]
  const script = await writeScript(
    directory,
    'everything',
    everything,
    accounts.map(({ key }) => key),
  )
  const points: MemoryPoint[] = [{ requests: 0, rss_mb: rssMb(ours.pid) }]
  let asked = 0
  while (asked < wanted) {
    asked += (await load({ origin: ours.origin, connections: 256, seconds: 2, script }, {})).requests
    if (asked < Math.min(wanted, (points.length * wanted) / 20)) continue
    points.push({ requests: asked, rss_mb: rssMb(ours.pid) })
    say(`${asked} requests: ${points.at(-1)!.rss_mb} MB`)
  }
  return points
}
