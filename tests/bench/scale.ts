import { statfsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCleanups, cleanUpOnExit } from '../support/cleanup.ts'
import { FULL_CATALOG } from './seed-catalog.ts'
import { withDebianPostgres } from './debian-postgres.ts'
import { logProgress, type BenchReport } from './report.ts'
import { measureCharging } from './scale/charging.ts'
import { updateScaleDoc } from './scale/scale-doc.ts'
import { saveResults, type ScaleResults } from './scale/results.ts'
import { evaluateGoals } from './scale/goals.ts'
import { createPopulatedDatabase, seedTemplateCatalog, runSql } from './scale/databases.ts'
import { measureLatencies, type LatencyProbe } from './scale/latency.ts'
import { measureCosts, sampleMemoryUnderLoad, writeTargetScript } from './scale/cost-per-request.ts'
import { GIANT_LOTS, giantAccountId } from './scale/population.ts'
import { startTarget } from './scale/target.ts'
import { measureSizes } from './scale/storage.ts'
import { measurePartitioned, measurePlainIndex, measureStandby } from './scale/variants.ts'

type ScaleOptions = { sets: number; accounts: number; lots: number; requests: number; write: boolean }

const SMALL_FACTOR = 1000
/** Disk space for two databases, a standby of one of them, and their WAL. */
const DISK_BYTES_PER_LOT = 1500
const ENTRIES_PROBE: LatencyProbe = { name: 'entries', path: '/brickfolio/entries?limit=250' }
const PRIVATE: LatencyProbe[] = [
  ENTRIES_PROBE,
  { name: 'analytics', path: '/brickfolio/analytics?period=1y' },
  { name: 'retail_watch', path: '/brickfolio/retail-watch' },
]
const giantProbe = (name: string, path: string): LatencyProbe => ({
  name,
  path,
  account: (side) => giantAccountId(side.population),
})
const GIANT: LatencyProbe[] = [
  giantProbe('first_entries', '/brickfolio/entries?limit=250'),
  giantProbe('last_entries', `/brickfolio/entries?limit=250&offset=${GIANT_LOTS - 250}`),
  giantProbe('analytics', '/brickfolio/analytics?period=1y'),
  giantProbe('retail_watch', '/brickfolio/retail-watch'),
]

/**
 * Measures the same service with all accounts and with a thousandth of them, interleaved on one server; then with two
 * API processes, with account reads on a streaming standby, and with partitioned account tables.
 */
export async function benchScale(options: ScaleOptions): Promise<BenchReport> {
  assertDiskSpace(10e9 + options.accounts * options.lots * DISK_BYTES_PER_LOT)
  cleanUpOnExit()
  const scripts = await mkdtemp(join(tmpdir(), 'brickmark-scripts-'))
  try {
    const figures = await withDebianPostgres((url, pid) => measureAndCleanUp({ url, pid }, scripts, options))
    if (options.write) {
      await saveResults(figures)
      await updateScaleDoc(figures)
    }
    return { benchmark: 'scale', goals: evaluateGoals(figures), figures }
  } finally {
    await rm(scripts, { recursive: true, force: true })
  }
}

function assertDiskSpace(bytes: number): void {
  const { bavail, bsize } = statfsSync(tmpdir())
  if (bavail * bsize > bytes) return
  throw new Error(`Needs ${Math.ceil(bytes / 1e9)} GB of free space in ${tmpdir()}. Reduce --accounts or --lots.`)
}

async function measureAndCleanUp(...index: Parameters<typeof measure>): Promise<ScaleResults> {
  try {
    return await measure(...index)
  } finally {
    await runCleanups()
  }
}

async function measure(
  server: { url: string; pid: number },
  scripts: string,
  { sets, accounts, lots, requests }: ScaleOptions,
): Promise<ScaleResults> {
  const catalog = { ...FULL_CATALOG, sets }
  const populations = { small: { accounts: Math.ceil(accounts / SMALL_FACTOR), lots }, big: { accounts, lots } }
  await seedTemplateCatalog(server.url, catalog)
  const smallUrl = await createPopulatedDatabase(server.url, 'small', populations.small)
  const bigUrl = await createPopulatedDatabase(server.url, 'big', populations.big)
  const sizes = await measureSizes(bigUrl)
  const small = await startTarget('small', smallUrl, populations.small)
  const big = await startTarget('big', bigUrl, populations.big)
  logProgress(`API process ready in ${big.start.ms} ms`)

  const latency = await measureLatencies([small, big], PRIVATE, 100)
  const giant = await measureLatencies([big], GIANT, 20)
  logProgress('measured latencies')
  const charging = await measureCharging([small, big], server.pid)
  await small.stop()
  logProgress('measured charges')

  const numbers = await runSql(bigUrl, 'select set_number from catalog.set order by md5(set_number) limit 1000')
  const setPaths = numbers.map((set) => `/set/${String(set['set_number'])}`)
  const setScript = await writeTargetScript(scripts, { name: 'set', paths: setPaths, accounts: 2000 }, big)
  const entries = { name: 'entries', paths: ['/brickfolio/entries'], accounts: 4000 }
  const entriesScript = await writeTargetScript(scripts, entries, big)
  const rss = await sampleMemoryUnderLoad(big, setScript, requests)
  logProgress(`served ${requests} requests`)
  const second = await startTarget('second', bigUrl, populations.big)
  const [one, two] = await measureCosts([[big], [big, second]], setScript, { primary: server.pid })
  await second.stop()
  logProgress('measured one and two processes')

  const standby = await measureStandby(server, big, entriesScript, ENTRIES_PROBE)
  const partitioned = await measurePartitioned(server.url, big, PRIVATE)
  const plainIndex = await measurePlainIndex(big, PRIVATE, GIANT)
  await big.stop()

  return {
    measured: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} cores of ${cpus()[0]!.model}, shared; 15-minute load average ${loadavg()[2]!.toFixed(0)}`,
    catalog,
    populations,
    requests,
    refused: small.rejectedCount() + big.rejectedCount(),
    start: big.start,
    rss_mb: rss,
    sizes,
    latency,
    giant,
    charging: [charging[0]!, charging[1]!],
    processes: { one: one!, two: two! },
    standby,
    partitioned,
    plain_index: plainIndex,
  }
}
