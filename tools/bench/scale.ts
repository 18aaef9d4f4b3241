import { statfsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { stopAll, stopBeforeExit } from '@brickmark/tests/support/cleanup'
import { FULL_CATALOG } from './seed-catalog.ts'
import { onDebianPostgres } from './debian-postgres.ts'
import { say, type BenchReport } from './report.ts'
import { chargeInTurn } from './scale/charging.ts'
import { writeScaleDocument } from './scale/scale-doc.ts'
import { keepFigures, type ScaleFigures } from './scale/results.ts'
import { goalsOf } from './scale/goals.ts'
import { makeDatabase, prepareCatalog, run } from './scale/databases.ts'
import { askInTurn, type Question } from './scale/latency.ts'
import { costsInTurn, memoryUnderLoad, scriptFor } from './scale/cost-per-request.ts'
import { GIANT_HOLDINGS, giantOf } from './scale/population.ts'
import { startSide } from './scale/target.ts'
import { sizesOf } from './scale/storage.ts'
import { measurePartitioned, measurePlainIndex, measureStandby } from './scale/variants.ts'

type ScaleOptions = { sets: number; accounts: number; holdings: number; requests: number; write: boolean }

const SMALLER = 1000
/** For each holding: two databases, one of them on a standby too, and their logs. */
const BYTES_A_HOLDING = 1500
const ENTRIES: Question = { name: 'entries', path: '/brickfolio/entries?limit=250' }
const PRIVATE: Question[] = [
  ENTRIES,
  { name: 'analytics', path: '/brickfolio/analytics?period=1y' },
  { name: 'retail_watch', path: '/brickfolio/retail-watch' },
]
const ofGiant = (name: string, path: string): Question => ({ name, path, account: (side) => giantOf(side.population) })
const GIANT: Question[] = [
  ofGiant('first_entries', '/brickfolio/entries?limit=250'),
  ofGiant('last_entries', `/brickfolio/entries?limit=250&offset=${GIANT_HOLDINGS - 250}`),
  ofGiant('analytics', '/brickfolio/analytics?period=1y'),
  ofGiant('retail_watch', '/brickfolio/retail-watch'),
]

/**
 * The same service over so many accounts and over a thousandth of them, on one server, in turn; then with two api
 * processes, with private reads on a streaming standby, and with the private tables in partitions.
 */
export async function scale(options: ScaleOptions): Promise<BenchReport> {
  needDisk(10e9 + options.accounts * options.holdings * BYTES_A_HOLDING)
  stopBeforeExit()
  const scripts = await mkdtemp(join(tmpdir(), 'brickmark-scripts-'))
  try {
    const figures = await onDebianPostgres((url, pid) => measureAndStop({ url, pid }, scripts, options))
    if (options.write) {
      await keepFigures(figures)
      await writeScaleDocument(figures)
    }
    return { benchmark: 'scale', goals: goalsOf(figures), figures }
  } finally {
    await rm(scripts, { recursive: true, force: true })
  }
}

function needDisk(bytes: number): void {
  const { bavail, bsize } = statfsSync(tmpdir())
  if (bavail * bsize > bytes) return
  throw new Error(`This needs ${Math.ceil(bytes / 1e9)} GB free in ${tmpdir()}: give fewer --accounts or --holdings.`)
}

async function measureAndStop(...place: Parameters<typeof measure>): Promise<ScaleFigures> {
  try {
    return await measure(...place)
  } finally {
    await stopAll()
  }
}

async function measure(
  server: { url: string; pid: number },
  scripts: string,
  { sets, accounts, holdings, requests }: ScaleOptions,
): Promise<ScaleFigures> {
  const catalog = { ...FULL_CATALOG, sets }
  const populations = { small: { accounts: Math.ceil(accounts / SMALLER), holdings }, big: { accounts, holdings } }
  await prepareCatalog(server.url, catalog)
  const smallUrl = await makeDatabase(server.url, 'small', populations.small)
  const bigUrl = await makeDatabase(server.url, 'big', populations.big)
  const sizes = await sizesOf(bigUrl)
  const small = await startSide('small', smallUrl, populations.small)
  const big = await startSide('big', bigUrl, populations.big)
  say(`an api process was ready in ${big.start.ms} ms`)

  const latency = await askInTurn([small, big], PRIVATE, 100)
  const giant = await askInTurn([big], GIANT, 20)
  say('latencies measured')
  const charging = await chargeInTurn([small, big], server.pid)
  await small.stop()
  say('charges measured')

  const numbers = await run(bigUrl, 'select set_number from catalog.set order by md5(set_number) limit 1000')
  const setPaths = numbers.map((set) => `/set/${String(set['set_number'])}`)
  const setScript = await scriptFor(scripts, { name: 'set', paths: setPaths, accounts: 2000 }, big)
  const entries = { name: 'entries', paths: ['/brickfolio/entries'], accounts: 4000 }
  const entriesScript = await scriptFor(scripts, entries, big)
  const rss = await memoryUnderLoad(big, setScript, requests)
  say(`${requests} requests answered`)
  const second = await startSide('second', bigUrl, populations.big)
  const [one, two] = await costsInTurn([[big], [big, second]], setScript, { primary: server.pid })
  await second.stop()
  say('one and two processes measured')

  const standby = await measureStandby(server, big, entriesScript, ENTRIES)
  const partitioned = await measurePartitioned(server.url, big, PRIVATE)
  const plainIndex = await measurePlainIndex(big, PRIVATE, GIANT)
  await big.stop()

  return {
    measured: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} cores of ${cpus()[0]!.model}, shared; load ${loadavg()[2]!.toFixed(0)} over the last quarter of an hour`,
    catalog,
    populations,
    requests,
    refused: small.refused() + big.refused(),
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
