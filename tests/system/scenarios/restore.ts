import { setTimeout as sleep } from 'node:timers/promises'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import type { Observation } from './admission/invariants.ts'
import { randomCall, type LimitedKey } from './admission/calls.ts'
import { exactly, none, atMost, type Scenario, type ScenarioContext, type ScenarioResult } from '../harness/scenario.ts'
import { SeededRandom } from '../harness/random.ts'
import { copyRepository, CORRUPTIONS, countUnencryptedFiles } from './restore/corruptions.ts'
import { restoreMutants } from './restore/mutants.ts'
import { BackupHost } from './restore/backup-host.ts'
import type { TestEnvironment } from '../harness/test-environment.ts'
import { TrafficGenerator } from '../harness/traffic-generator.ts'

/** We promise 60. WAL is archived every 10 s, so more than this means that the archive was not restored to its end. */
const MAX_RPO_SECONDS = 20
const UNLIMITED = 1_000_000

/** Restores to the moment before a mistake and after the loss of a server, and never restores a broken backup. */
export const restore = {
  name: 'restore',
  summary: 'backs up under load, restores to a point in time and after a total loss, and rejects four broken backups',
  options: {
    megabytes: { default: 500, description: 'MB of data in addition to the market' },
    rate: { default: 100, description: 'requests per second' },
    seconds: { default: 30, description: 'duration of each load phase in seconds, longer than the archive timeout' },
  },
  mutantOptions: { megabytes: 20, seconds: 30 },
  mutants: restoreMutants,
  run,
} satisfies Scenario

async function run({
  seed,
  options,
  root,
  log,
  openEnvironment,
  onTeardown,
}: ScenarioContext): Promise<ScenarioResult> {
  const { megabytes = 1, rate = 1, seconds = 1 } = options
  const host = await BackupHost.open({ root, onTeardown })
  const environment = await openEnvironment({
    nodes: 1,
    synchronousCommit: true,
    maxSeconds: 240,
    postgres: host.postgres.url,
  })
  await addBallast(environment, megabytes)
  const keys = await makeKeys(environment, 10)
  const random = new SeededRandom(seed)
  const choice = { random, nodes: 1, sets: environment.market.sets.slice(0, 50).map((set) => set.set_number) }
  const load = () =>
    new TrafficGenerator([environment.nodes[0]!.port], {
      rate,
      clients: 16,
      next: () => randomCall(random.pick(keys), choice),
    })

  const first = load()
  const backup = await host.pgbackrest('backup', '--type=full')
  log(`backup taken in ${round(backup.seconds)} s`)
  await sleep(Math.min(seconds, 5) * 1000)
  const before = await first.stop()

  const goodTime = await pickRestorePoint(environment)
  const usedAtRestorePoint = await environment.creditsUsed()
  await sql`drop table portfolio.lot cascade`.execute(environment.db)
  log('dropped portfolio.lot')
  await fillSegments(environment)

  const second = load()
  await sleep(seconds * 1000)
  await host.destroyServer()
  const lostAt = performance.now()
  log('destroyed the server and its disk')
  const after = await second.stop()
  await environment.nodes[0]!.stop()

  const database = environment.url.split('/').at(-1)!
  const pointInTimeRestore = await host.restore(join(host.folder, 'moment/data'), { time: goodTime })
  const pointInTime = pointInTimeRestore.ok ? await inspectRestored(host, 'moment', database) : undefined
  log(pointInTimeRestore.output.trim().split('\n').at(-1) ?? '')
  const latest = await host.restore(join(host.folder, 'latest/data'))
  const startedAt = performance.now()
  const newest = latest.ok ? await inspectRestored(host, 'latest', database) : undefined
  const rto = latest.seconds + (performance.now() - startedAt) / 1000
  const undetected = await undetectedCorruption(host, log)

  const missing = newest && lostCharges([...before, ...after], newest.used, lostAt)
  return {
    checks: [
      exactly('successful restores', 2, [pointInTimeRestore, latest].filter((result) => result.ok).length),
      exactly('point in time: dropped table restored', 1, pointInTime?.holdings ? 1 : 0),
      none(
        'point in time: keys with other usage',
        pointInTime ? countMismatches(pointInTime.used, usedAtRestorePoint) : usedAtRestorePoint.size,
      ),
      atMost('total loss: seconds of charges lost (RPO)', MAX_RPO_SECONDS, missing?.seconds ?? Infinity),
      none('broken backups restored silently', undetected.length),
      none('unencrypted files in the repository', await countUnencryptedFiles(host.repository)),
    ],
    measurements: {
      'data, MB': newest ? Math.round(newest.bytes / 2 ** 20) : null,
      'backup, s': round(backup.seconds),
      'restore to a point in time, s': round(pointInTimeRestore.seconds),
      'restore after a total loss until it serves (RTO), s': round(rto),
      'RTO, s per GB': newest ? round(rto / (newest.bytes / 2 ** 30)) : null,
      'acknowledged credits lost': missing?.units ?? null,
    },
    failures: [pointInTimeRestore, latest]
      .filter((result) => !result.ok)
      .map((result) => result.output)
      .concat(undetected),
  }
}

async function makeKeys(environment: TestEnvironment, count: number): Promise<LimitedKey[]> {
  const keys: LimitedKey[] = []
  for (let index = 0; index < count; index++)
    keys.push({ ...(await environment.createAccount({ limit: UNLIMITED })), limit: UNLIMITED })
  return keys
}

/** Inserts rows of 1 KB, too short to be compressed. */
async function addBallast(environment: TestEnvironment, megabytes: number): Promise<void> {
  await sql`create table public.ballast (id int, filler text)`.execute(environment.db)
  for (let done = 0; done < megabytes; done += 20)
    await sql`insert into public.ballast select i, repeat(md5(i::text), 30)
      from generate_series(1, ${Math.min(20, megabytes - done) * 1024}) i`.execute(environment.db)
}

/** Returns a time by the database's clock with a second of inactivity on either side. */
async function pickRestorePoint(environment: TestEnvironment): Promise<string> {
  await sleep(1000)
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(environment.db)
  await sleep(1000)
  return rows[0]!.now.toISOString()
}

/** Writes several complete WAL segments after the backup, so that one in the middle can be corrupted. */
async function fillSegments(environment: TestEnvironment): Promise<void> {
  for (let count = 0; count < 6; count++) {
    await sql`insert into public.ballast values (0, 'segment')`.execute(environment.db)
    await sql`select pg_switch_wal()`.execute(environment.db)
  }
}

type Found = { used: Map<number, number>; holdings: boolean; bytes: number }

async function inspectRestored(host: BackupHost, name: string, database: string): Promise<Found> {
  const server = await host.start(name)
  const client = new pg.Client(server.url.replace(/[^/]+$/, database))
  // Ctrl-C stops the server while the client is connected.
  client.on('error', () => {})
  await client.connect()
  const used = await client.query<{ key_id: string; used: number }>(
    'select api_key_id as key_id, used from account.api_key_quota',
  )
  const state = await client.query<{ holdings: boolean; bytes: string }>(
    `select to_regclass('portfolio.lot') is not null as holdings,
       (select sum(pg_database_size(oid)) from pg_database)::bigint as bytes`,
  )
  await client.end()
  await server.stop()
  return {
    used: new Map(used.rows.map((row) => [Number(row.key_id), row.used])),
    holdings: state.rows[0]!.holdings,
    bytes: Number(state.rows[0]!.bytes),
  }
}

function countMismatches(found: Map<number, number>, expected: Map<number, number>): number {
  return [...expected].filter(([keyId, credits]) => found.get(keyId) !== credits).length
}

/** Returns the acknowledged charges that are lost, and how long before the loss the first of them was sent. */
function lostCharges(
  observations: Observation[],
  used: Map<number, number>,
  lostAt: number,
): { units: number; seconds: number } {
  const missing = observations.filter(
    ({ call, status, remaining = 0 }) =>
      call.cost > 0 && status === call.expectedStatus && remaining < call.key.limit - (used.get(call.key.keyId) ?? 0),
  )
  const since = Math.min(lostAt, ...missing.map((observation) => observation.sentAt))
  return {
    units: missing.reduce((sum, observation) => sum + observation.call.cost, 0),
    seconds: Math.round((lostAt - since) / 100) / 10,
  }
}

/** Returns the corruptions after which `ops restore` still reports success. */
async function undetectedCorruption(host: BackupHost, log: (text: string) => void): Promise<string[]> {
  const undetected: string[] = []
  for (const [index, { name, apply }] of CORRUPTIONS.entries()) {
    const repository = join(host.folder, `broken-${index}`)
    const into = join(host.folder, `restored-${index}`)
    copyRepository(host.repository, repository)
    await apply(repository)
    const { ok, output } = await host.restore(into, { repository })
    log(`${name}: ${ok ? 'RESTORED' : `rejected, ${output.trim().split('\n').at(-1)?.slice(0, 140)}`}`)
    if (ok) undetected.push(`${name}, but the restore succeeded: ${output}`)
    for (const path of [repository, into]) await rm(path, { recursive: true, force: true })
  }
  return undetected
}

function round(seconds: number): number {
  return Math.round(seconds * 10) / 10
}
