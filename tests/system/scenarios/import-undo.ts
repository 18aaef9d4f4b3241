import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '@brickmark/core/db/database'
import { asRole } from '../../support/database.ts'
import { SeededRandom } from '../harness/random.ts'
import {
  atLeast,
  exactly,
  none,
  type Scenario,
  type ScenarioContext,
  type ScenarioResult,
} from '../harness/scenario.ts'
import { importUndoMutants } from './import-undo/mutants.ts'
import { registerSources } from './ingest/ingester.ts'
import { waitUntilSettled } from './valuation-pipeline/published.ts'
import { startWorkerNode } from './valuation-pipeline/worker-node.ts'

/** A file with wrong prices moves values. Undone, it leaves nothing, however often undoing it is killed. */
export const importUndo = {
  name: 'import-undo',
  summary: 'undoes a file with wrong prices while the command is killed: values, traders and events are as before',
  options: {
    rows: { default: 10_000_000, description: 'sales in the file with wrong prices' },
    sets: { default: 5000, description: 'sets in the catalog' },
    kills: { default: 20, description: 'how often the command is killed' },
  },
  mutantOptions: { rows: 60_000, sets: 100, kills: 3 },
  mutants: importUndoMutants,
  run,
} satisfies Scenario

const LICENSE = 'import-undo'
const SOURCES = ['shop', 'broken-shop']
const SALES_PER_SET = 40
const HEADER = 'source,license,event_id,set_number,condition,sold_on,known_on,price,currency,seller,buyer\n'
/** Both shops have these sellers and buyers, so that the wrong rows say of known traders that they sell many sets. */
const TRADERS = 400
const SETTLED_WITHIN_MS = 3_600_000

async function run({
  seed,
  options,
  openEnvironment,
  onTeardown,
  root,
  log,
}: ScenarioContext): Promise<ScenarioResult> {
  const { rows = 1, sets = 1, kills = 1 } = options
  const environment = await openEnvironment({
    nodes: 0,
    empty: true,
    maxSeconds: 600 + rows / 2000,
    synchronousCommit: false,
  })
  const { db, url } = environment
  const random = new SeededRandom(seed)
  const numbers = Array.from({ length: sets }, (_, n) => `${90_001 + n}-1`)
  const folder = await mkdtemp(join(tmpdir(), 'brickmark-undo-'))
  onTeardown(() => rm(folder, { recursive: true, force: true }))
  const ops = (...args: string[]) => runOps(root, url, args)
  await registerSources(db, LICENSE, SOURCES)
  const catalog = await writeFile(folder, 'catalog.csv', catalogRows(numbers))
  const good = await writeFile(folder, 'good.csv', saleRows(random, numbers, SALES_PER_SET * sets, 'good', 60))
  const bad = await writeFile(folder, 'bad.csv', saleRows(random, numbers, rows, 'bad', 300))
  await ops('ingest', 'catalog', catalog)
  await ops('ingest', 'sales', good)
  const worker = await startWorkerNode(root, asRole(url, 'brickmark_worker'), { LOG_LEVEL: 'info' })
  await waitUntilSettled(environment, SETTLED_WITHIN_MS)
  const before = await readState(db)
  log(`${before.values.size} values; ingesting ${rows} wrong sales`)
  // Without --accept, it would be held.
  const ingestSeconds = await secondsOf(() => ops('ingest', 'sales', bad, '--accept'))
  await waitUntilSettled(environment, SETTLED_WITHIN_MS)
  const moved = countDifferent(before.values, (await readState(db)).values)
  const importId = await findImport(db)
  log(`${moved} values have moved; undoing import ${importId}`)
  const args = ['import', 'undo', String(importId), '--yes']
  let killed = 0
  const undoSeconds = await secondsOf(async () => {
    // The command says how far it is after every batch. Killed at some of them, it dies all over its work.
    for (let kill = 0; kill < kills; kill++) {
      const batches = 1 + random.int(0, Math.floor(rows / 10_000 / (kills + 1)))
      if (await killAfter(root, url, args, batches, random.int(0, 60))) killed++
    }
    const { undone_at } = await db
      .selectFrom('source.import')
      .select('undone_at')
      .where('id', '=', importId)
      .executeTakeFirstOrThrow()
    if (undone_at === null) await ops(...args)
  })
  const refused = await ops(...args).catch((error: unknown) => (error as Error).message)
  await waitUntilSettled(environment, SETTLED_WITHIN_MS)
  await worker.stop()
  const after = await readState(db)
  return {
    checks: [
      atLeast('values that the wrong sales had moved', Math.ceil(sets / 2), moved),
      exactly('times the command was killed', kills, killed),
      none('sales left of the import', await countLeft(db, importId)),
      none('values that differ from before', countDifferent(before.values, after.values)),
      exactly('sales', before.sales, after.sales),
      exactly('events', before.events, after.events),
      none('traders that differ from before', countDifferent(before.traders, after.traders)),
      none('rows that remember what was to be done', after.remembered),
      exactly('undone once', 1, refused.includes('was undone before') ? 1 : 0),
    ],
    measurements: {
      'ingest, s': ingestSeconds,
      'undo with kills, s': undoSeconds,
      'values compared': before.values.size,
      'traders compared': before.traders.size,
    },
    failures: [],
  }
}

function* catalogRows(numbers: string[]): Generator<string> {
  yield 'source,license,record,set_number,title,theme,msrp_usd,release_date\n'
  for (const number of numbers) yield `shop,${LICENSE},set,${number},Set ${number},Harbor,59.99,2024-01-01\n`
}

function* saleRows(
  random: SeededRandom,
  numbers: string[],
  count: number,
  name: 'good' | 'bad',
  price: number,
): Generator<string> {
  yield HEADER
  const lastDay = Date.now() - 86_400_000
  for (let n = 0; n < count; n++) {
    const day = new Date(lastDay - random.int(0, 179) * 86_400_000).toISOString().slice(0, 10)
    const cents = Math.round(price * 100 * (0.9 + random.next() / 5))
    const [seller, buyer] = [random.int(1, TRADERS), random.int(1, TRADERS * 10)]
    // Most of the wrong rows are of a source of their own, the others of one that also sent good ones.
    const source = name === 'bad' && n % 10 > 0 ? 'broken-shop' : 'shop'
    yield `${source},${LICENSE},${name}-${n},${numbers[n % numbers.length]},sealed,${day},${day},${cents / 100},USD,s${seller},b${buyer}\n`
  }
}

async function writeFile(folder: string, name: string, lines: Generator<string>): Promise<string> {
  const path = join(folder, name)
  await pipeline(Readable.from(inChunks(lines)), createWriteStream(path))
  return path
}

/** Joins lines, because writing each on its own takes minutes. */
function* inChunks(lines: Generator<string>): Generator<string> {
  let chunk = ''
  for (const line of lines) {
    chunk += line
    if (chunk.length < 100_000) continue
    yield chunk
    chunk = ''
  }
  yield chunk
}

function startOps(root: string, url: string, args: string[]) {
  return spawn(process.execPath, [join(root, 'apps/ops/main.ts'), ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], DATABASE_URL: url },
  })
}

/** Runs an `ops` command; throws what it says if it fails. */
async function runOps(root: string, url: string, args: string[]): Promise<string> {
  const child = startOps(root, url, args)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number]
  if (code !== 0) throw new Error(`ops ${args.join(' ')}: ${output.slice(-500)}`)
  return output
}

/** Kills a command some milliseconds after it has reported a number of batches. Returns false if it ended before. */
async function killAfter(root: string, url: string, args: string[], batches: number, ms: number): Promise<boolean> {
  const child = startOps(root, url, args)
  child.stdout.resume()
  let reported = 0
  const isReached = new Promise<void>((resolve) => {
    child.stderr.on('data', (chunk: Buffer) => {
      reported += chunk.toString().split('\n').length - 1
      if (reported >= batches) resolve()
    })
  })
  const exited = once(child, 'exit')
  await Promise.race([isReached, exited])
  await sleep(ms)
  const wasRunning = child.exitCode === null
  child.kill('SIGKILL')
  await exited
  return wasRunning
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return Math.round((performance.now() - started) / 100) / 10
}

async function findImport(db: Database): Promise<number> {
  const { id } = await db
    .selectFrom('source.import')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return id
}

async function countLeft(db: Database, importId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from source.sale_observation
     where import_id = ${importId} or event_id like 'bad-%'`.execute(db)
  return rows[0]!.count
}

type State = {
  values: Map<string, string>
  traders: Map<string, string>
  sales: number
  events: number
  remembered: number
}

async function readState(db: Database): Promise<State> {
  const values = await sql<{ key: string; row: string }>`
    select set_number || ' ' || condition as key, (to_jsonb(v) - 'calculated_at')::text as row from market.set_value v`.execute(
    db,
  )
  const traders = await sql<{ key: string; row: string }>`
    select concat_ws(' ', role, source_id, ref) as key, concat_ws(' ', item_number, known_on, several_since) as row
      from source.trader where source_id = 'shop'`.execute(db)
  const counts = await sql<{ sales: number; events: number; remembered: number }>`
    select (select count(*)::integer from source.sale_observation) as sales,
           (select count(*)::integer from source.sale_event) as events,
           (select count(*) from source.undo_row)::integer + (select count(*) from source.undo_item)::integer
             + (select count(*) from source.undo_trader)::integer as remembered`.execute(db)
  const toMap = (rows: { key: string; row: string }[]) => new Map(rows.map(({ key, row }) => [key, row]))
  return { values: toMap(values.rows), traders: toMap(traders.rows), ...counts.rows[0]! }
}

function countDifferent(a: Map<string, string>, b: Map<string, string>): number {
  return [...new Set([...a.keys(), ...b.keys()])].filter((key) => a.get(key) !== b.get(key)).length
}
