import { setTimeout as sleep } from 'node:timers/promises'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { asRole } from '../../../support/database.ts'
import { toCsv } from '../../../support/feed-fixtures.ts'
import { SeededRandom } from '../../harness/random.ts'
import type { TestEnvironment } from '../../harness/test-environment.ts'
import { registerCleanup } from '../../../support/cleanup.ts'
import { serviceRoot } from './load-ingest.ts'
import { validRows, LICENSE } from './valid-files.ts'
import { registerSources, type Ingester } from './ingester.ts'

const CHILD = fileURLToPath(new URL('ingest-child.ts', import.meta.url))
const SALES = 5000
const RETURNS = 2500
/** Bad rows per file: the quarantine must be complete or empty, too. */
const BAD = 50
const CONCURRENCY = 4
/** How much slower a run is while other runs are being checked. */
const SLOWDOWN_FACTOR = 1.8

export type KillFindings = {
  kills: number
  partial: number
  doubled: number
  /** State of the files after a kill: not published at all, or completely published. */
  notPublished: number
  fullyPublished: number
  longestMs: number
  failures: string[]
}

type Round = { source: string; files: { feed: 'sales' | 'returns'; path: string; bytes: Buffer; good: number }[] }

/**
 * Kills a process or its connection while it ingests two files; afterwards, each file must be published completely or
 * not at all.
 */
export async function killRepeatedly(
  environment: TestEnvironment,
  ingester: Ingester,
  seed: number,
  kills: number,
): Promise<KillFindings> {
  const findings: KillFindings = {
    kills: 0,
    partial: 0,
    doubled: 0,
    notPublished: 0,
    fullyPublished: 0,
    longestMs: 0,
    failures: [],
  }
  const directory = await mkdtemp(join(tmpdir(), 'brickmark-kills-'))
  const stop = registerCleanup(() => rm(directory, { recursive: true, force: true }))
  // Measures how long both files take undisturbed, so that the kills cover the whole duration.
  const baselineRuns = await Promise.all(
    [0, 1, 2, 3].map((n) => prepare(environment, directory, seed, `prove-calm-${n}`)),
  )
  const spans = await Promise.all(baselineRuns.map((round) => runChild(environment, round)))
  findings.longestMs = Math.round(Math.max(...spans.map(({ span }) => span)))
  let next = 0
  const work = async () => {
    for (let index = next++; findings.kills < kills; index = next++) {
      const random = new SeededRandom(seed * 1_000_003 + index)
      const round = await prepare(environment, directory, seed + index, `prove-kill-${index}`)
      if (index % 2 === 1) round.files.reverse()
      const cut = index % 4 === 3 ? 'backend' : 'process'
      const { killed } = await runChild(environment, round, {
        afterMs: random.next() * findings.longestMs * SLOWDOWN_FACTOR,
        cut,
      })
      // A process that finished before the kill doesn't count; another run replaces it.
      if (!killed || findings.kills >= kills) continue
      findings.kills++
      await checkAtomicity(environment, ingester, round, findings)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  await stop()
  return findings
}

async function prepare(environment: TestEnvironment, directory: string, seed: number, source: string): Promise<Round> {
  await registerSources(environment.db, LICENSE, [source])
  const random = new SeededRandom(seed)
  const files = await Promise.all(
    (['sales', 'returns'] as const).map(async (feed) => {
      const good = feed === 'sales' ? SALES : RETURNS
      const rows = validRows(feed, random, 'e', good, source)
      for (let n = 0; n < BAD; n++) rows.splice(random.int(0, rows.length), 0, { ...rows[n]!, event_id: '' })
      const bytes = Buffer.from(toCsv(feed, rows))
      const path = join(directory, `${source}-${feed}.csv`)
      await writeFile(path, bytes)
      return { feed, path, bytes, good }
    }),
  )
  return { source, files }
}

/** Runs the child. Returns the milliseconds it worked, and whether it was killed before it finished. */
async function runChild(
  { url, db }: TestEnvironment,
  { files }: Round,
  kill?: { afterMs: number; cut: 'process' | 'backend' },
): Promise<{ span: number; killed: boolean }> {
  const args = [CHILD, serviceRoot(), asRole(url, 'brickmark_worker')]
  const child = spawn(process.execPath, [...args, ...files.map(({ feed, path }) => `${feed}=${path}`)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const done = registerCleanup(async () => child.kill('SIGKILL'), child.pid)
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const exited = once(child, 'exit')
  const ready = once(child.stdout, 'data')
  const first = await Promise.race([ready, exited])
  if (!Buffer.isBuffer(first[0])) throw new Error(`The ingest process exited before it started working: ${stderr}`)
  const pid = Number(first[0].toString())
  const started = performance.now()
  let killed = false
  if (kill !== undefined) {
    await Promise.race([exited, sleep(kill.afterMs)])
    const running = child.exitCode === null
    if (kill.cut === 'process') killed = running && child.kill('SIGKILL')
    else killed = running && (await terminate(db, pid))
  }
  const [code] = (await exited) as [number | null]
  if (kill === undefined && code !== 0) throw new Error(`The ingest process failed: ${stderr}`)
  await done()
  const span = performance.now() - started
  await waitForBackendExit(db, pid)
  return { span, killed }
}

async function terminate(db: TestEnvironment['db'], pid: number): Promise<boolean> {
  const { rows } = await sql<{ done: boolean }>`
    select pg_terminate_backend(pid) as done from pg_stat_activity where pid = ${pid}`.execute(db)
  return rows[0]?.done ?? false
}

/** A running statement continues without its client, so the outcome is known only when its backend has exited. */
async function waitForBackendExit(db: TestEnvironment['db'], pid: number): Promise<void> {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline;) {
    const { rows } = await sql`select 1 from pg_stat_activity where pid = ${pid}`.execute(db)
    if (rows.length === 0) return
    await sleep(10)
  }
  throw new Error('A backend was still running 30 s after its client was killed.')
}

type Found = { imports: number; accepted: number; fingerprints: number; rows: number; events: number; bad: number }

async function checkAtomicity(
  environment: TestEnvironment,
  ingester: Ingester,
  round: Round,
  findings: KillFindings,
): Promise<void> {
  for (const file of round.files) {
    const complete = { imports: 1, accepted: file.good, fingerprints: 1, rows: file.good, events: file.good, bad: BAD }
    const found = await countPublished(environment, round.source, file)
    const isAll = same(found, complete)
    const isNothing = Object.values(found).every((count) => count === 0)
    if (isAll) findings.fullyPublished++
    else if (isNothing) findings.notPublished++
    else {
      findings.partial++
      findings.failures.push(`${file.path} is partially published: ${JSON.stringify(found)}`)
    }
    const repeated = await ingester.ingestOrThrow(file.feed, file.bytes, file.path)
    const twice = { ...complete, imports: 2, fingerprints: 2, bad: 2 * BAD }
    const after = await countPublished(environment, round.source, file)
    const acceptedCorrectly = repeated.accepted === (isAll ? 0 : file.good)
    if (!acceptedCorrectly || !same(after, isAll ? twice : complete)) {
      findings.doubled++
      findings.failures.push(`${file.path} ingested again: ${JSON.stringify(repeated)}, then ${JSON.stringify(after)}`)
    }
  }
}

const same = (found: Found, expected: Found) => JSON.stringify(found) === JSON.stringify(expected)

async function countPublished(
  { db }: TestEnvironment,
  source: string,
  { feed, path }: { feed: string; path: string },
): Promise<Found> {
  const table = sql.table(feed === 'sales' ? 'source.sale_observation' : 'source.sale_return')
  const event =
    feed === 'sales' ? sql`join source.sale_event e on e.event_key = source.event_key(o.source_id, o.event_id)` : sql``
  const { rows } = await sql<Found>`
    select (select count(*) from source.import where file_name = ${path}) as imports,
           (select coalesce(sum(accepted), 0)::bigint from source.import where file_name = ${path}) as accepted,
           (select count(*) from source.import where file_name = ${path} and fingerprint <> '') as fingerprints,
           (select count(*) from ${table} where source_id = ${source}) as rows,
           (select count(*) from ${table} o ${event} where o.source_id = ${source}) as events,
           (select count(*) from source.quarantine q join source.import i on i.id = q.import_id
             where i.file_name = ${path}) as bad`.execute(db)
  return rows[0]!
}
