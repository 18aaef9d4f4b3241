import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import type { Observation } from './admission/invariants.ts'
import { randomCall, type LimitedKey } from './admission/calls.ts'
import { exactly, none, atMost, type Scenario, type ScenarioContext, type ScenarioResult } from './scenario.ts'
import { SeededRandom } from './random.ts'
import { copyStore, CORRUPTIONS } from './restore/corruptions.ts'
import { restoreMutants } from './restore/mutants.ts'
import { BackupHost } from './restore/backup-host.ts'
import type { TestEnvironment } from './test-environment.ts'
import { TrafficGenerator } from './traffic-generator.ts'

/** We promise 60. The log is received as it is written, so more than this means that a part of it was not restored. */
const MAX_RPO_SECONDS = 3
const UNLIMITED = 1_000_000

/** T21: a mistake is undone to the moment before it, a lost server comes back, and a broken backup is never restored. */
export const restore: Scenario = {
  name: 'restore',
  covers: ['T21'],
  summary:
    'backs up under load, restores to a moment and after the loss of everything, and refuses four broken backups',
  options: {
    megabytes: { default: 500, description: 'data besides the market' },
    rate: { default: 100, description: 'requests a second' },
    seconds: { default: 5, description: 'seconds of load in each part' },
  },
  mutantOptions: { megabytes: 20, seconds: 5 },
  mutants: restoreMutants,
  run,
}

async function run({
  seed,
  options,
  root,
  log,
  openEnvironment: openStage,
  onTeardown,
}: ScenarioContext): Promise<ScenarioResult> {
  const { megabytes = 1, rate = 1, seconds = 1 } = options
  const site = await BackupHost.open({ root, onTeardown })
  const stage = await openStage({ nodes: 1, synchronousCommit: true, maxSeconds: 240, postgres: site.server.url })
  await addBallast(stage, megabytes)
  const keys = await makeKeys(stage, 10)
  const random = new SeededRandom(seed)
  const choice = { random, nodes: 1, sets: stage.market.sets.slice(0, 50).map((set) => set.set_number) }
  const load = () =>
    new TrafficGenerator([stage.nodes[0]!.port], {
      rate,
      clients: 16,
      next: () => randomCall(random.pick(keys), choice),
    })
  const stopArchiving = site.startArchiving()

  const first = load()
  const backup = await site.ops('backup', site.store)
  if (!backup.ok) throw new Error(`The backup failed: ${backup.output}`)
  log(backup.output.split('\n')[0]!)
  await pause(seconds)
  const before = await first.stop()

  const goodTime = await pickRestorePoint(stage)
  const usedThen = await stage.creditsUsed()
  await sql`drop table portfolio.holding cascade`.execute(stage.db)
  log('somebody dropped the table of holdings')
  await fillSegments(stage)

  const second = load()
  await pause(seconds)
  await site.destroyServer()
  const lostAt = performance.now()
  log('the server is lost with its disk')
  const after = await second.stop()
  await stopArchiving()
  await stage.nodes[0]!.stop()

  const database = stage.url.split('/').at(-1)!
  const asOf = await site.ops('restore', site.store, '--into', join(site.folder, 'moment/data'), '--time', goodTime)
  const pointInTime = asOf.ok ? await inspectRestored(site, 'moment', database) : undefined
  log(asOf.output.trim().split('\n').at(-2) ?? '')
  const latest = await site.ops('restore', site.store, '--into', join(site.folder, 'latest/data'))
  const startedAt = performance.now()
  const newest = latest.ok ? await inspectRestored(site, 'latest', database) : undefined
  const rto = latest.seconds + (performance.now() - startedAt) / 1000
  const silently = await undetectedCorruption(site, log)

  const missing = newest && lostCharges([...before, ...after], newest.used, lostAt)
  return {
    checks: [
      exactly('restores that succeeded', 2, [asOf, latest].filter((one) => one.ok).length),
      exactly('as of the moment: the dropped table is there', 1, pointInTime?.holdings ? 1 : 0),
      none(
        'as of the moment: keys counted otherwise',
        pointInTime ? countMismatches(pointInTime.used, usedThen) : usedThen.size,
      ),
      atMost('after the loss: seconds of charges lost (RPO)', MAX_RPO_SECONDS, missing?.seconds ?? Infinity),
      none('broken backups restored without a word', silently.length),
    ],
    measurements: {
      'data, MB': newest ? Math.round(newest.bytes / 2 ** 20) : null,
      'backup, s': round(backup.seconds),
      'restore to a moment, s': round(asOf.seconds),
      'restore after the loss until it answers (RTO), s': round(rto),
      'RTO, s a GB': newest ? round(rto / (newest.bytes / 2 ** 30)) : null,
      'acknowledged units lost': missing?.units ?? null,
    },
    failures: [asOf, latest]
      .filter((one) => !one.ok)
      .map((one) => one.output)
      .concat(silently),
  }
}

async function makeKeys(stage: TestEnvironment, count: number): Promise<LimitedKey[]> {
  const keys: LimitedKey[] = []
  for (let index = 0; index < count; index++)
    keys.push({ ...(await stage.createAccount({ limit: UNLIMITED })), limit: UNLIMITED })
  return keys
}

/** Rows of one kilobyte: too short to be compressed. */
async function addBallast(stage: TestEnvironment, megabytes: number): Promise<void> {
  await sql`create table public.ballast (id int, filler text)`.execute(stage.db)
  for (let done = 0; done < megabytes; done += 20)
    await sql`insert into public.ballast select i, repeat(md5(i::text), 30)
      from generate_series(1, ${Math.min(20, megabytes - done) * 1024}) i`.execute(stage.db)
}

/** A moment of the database's clock with a second of silence on either side. */
async function pickRestorePoint(stage: TestEnvironment): Promise<string> {
  await pause(1)
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(stage.db)
  await pause(1)
  return rows[0]!.now.toISOString()
}

/** Some whole segments after the backup, so that one in the middle can be broken. */
async function fillSegments(stage: TestEnvironment): Promise<void> {
  for (let count = 0; count < 6; count++) {
    await sql`insert into public.ballast values (0, 'segment')`.execute(stage.db)
    await sql`select pg_switch_wal()`.execute(stage.db)
  }
}

type Found = { used: Map<number, number>; holdings: boolean; bytes: number }

async function inspectRestored(site: BackupHost, name: string, database: string): Promise<Found> {
  const server = await site.start(name)
  const client = new pg.Client(server.url.replace(/[^/]+$/, database))
  // Ctrl-C stops the server under it.
  client.on('error', () => {})
  await client.connect()
  const used = await client.query<{ key_id: string; used: number }>(
    'select key_id, sum(used)::int as used from account.quota_day group by 1',
  )
  const facts = await client.query<{ holdings: boolean; bytes: string }>(
    `select to_regclass('portfolio.holding') is not null as holdings,
       (select sum(pg_database_size(oid)) from pg_database)::bigint as bytes`,
  )
  await client.end()
  await server.stop()
  return {
    used: new Map(used.rows.map((row) => [Number(row.key_id), row.used])),
    holdings: facts.rows[0]!.holdings,
    bytes: Number(facts.rows[0]!.bytes),
  }
}

function countMismatches(found: Map<number, number>, wanted: Map<number, number>): number {
  return [...wanted].filter(([keyId, units]) => found.get(keyId) !== units).length
}

/** Acknowledged units that are not there any more, and how long before the loss the first of them was asked for. */
function lostCharges(
  seen: Observation[],
  used: Map<number, number>,
  lostAt: number,
): { units: number; seconds: number } {
  const missing = seen.filter(
    ({ call, status, remaining = 0 }) =>
      call.cost > 0 && status === call.expectedStatus && remaining < call.key.limit - (used.get(call.key.keyId) ?? 0),
  )
  const since = Math.min(lostAt, ...missing.map((one) => one.sentAt))
  return {
    units: missing.reduce((sum, one) => sum + one.call.cost, 0),
    seconds: Math.round((lostAt - since) / 100) / 10,
  }
}

/** The damages after which `ops restore` still says that all is well. */
async function undetectedCorruption(site: BackupHost, say: (text: string) => void): Promise<string[]> {
  const silent: string[] = []
  for (const [index, { name, apply }] of CORRUPTIONS.entries()) {
    const store = join(site.folder, `broken-${index}`)
    const into = join(site.folder, `restored-${index}`)
    copyStore(site.store, store)
    await apply(store)
    const { ok, output } = await site.ops('restore', store, '--into', into)
    say(`${name}: ${ok ? 'RESTORED' : `refused, ${output.trim().split('\n').at(-1)?.slice(0, 140)}`}`)
    if (ok) silent.push(`${name}, and it was restored all the same: ${output}`)
    for (const path of [store, into]) await rm(path, { recursive: true, force: true })
  }
  return silent
}

function round(seconds: number): number {
  return Math.round(seconds * 10) / 10
}

function pause(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000))
}
