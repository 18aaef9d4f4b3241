import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase, openPool, type Database } from '@brickmark/core/db/database'
import { findDataSafety } from '@brickmark/core/db/diagnostics-queries'
import { migrate } from '@brickmark/core/db/migrate'
import { startPostgres, type LocalPostgres } from '@brickmark/tools/local-postgres/local-postgres'
import { asRole } from '@brickmark/tests/support/database'
import { PG15_BIN, standbyUnavailable, startStandby } from '@brickmark/tests/support/standby'

/** Each test has a server of its own: a standby and a damaged file concern a whole server. */

const FAST = { fsync: 'off', max_connections: '30' }

async function createDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'brickmark-safety-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}

async function startServer(directory: string, binDir?: string): Promise<LocalPostgres> {
  const server = await startPostgres(directory, { ...(binDir !== undefined && { binDir }), settings: FAST })
  onTestFinished(() => server.stop())
  return server
}

function connect(url: string): Database {
  const db = openDatabase(openPool(url, { size: 1 }))
  onTestFinished(() => db.destroy())
  return db
}

test.skipIf(standbyUnavailable)('a standby counts as synchronous only while commits wait for it', async () => {
  const { url } = await startServer(await createDirectory(), PG15_BIN)
  await migrate(url)
  const db = connect(url)
  const worker = connect(asRole(url, 'brickmark_worker'))
  const standbys = async () => (await findDataSafety(worker)).synchronousStandbys
  expect(await standbys()).toBe(0)
  const standby = await startStandby(url, FAST)
  onTestFinished(() => standby.stop())
  expect(await standbys()).toBe(0)
  await sql`alter system set synchronous_standby_names = '*'`.execute(db)
  await sql`select pg_reload_conf()`.execute(db)
  await expect.poll(standbys, { timeout: 10_000 }).toBe(1)
  await sql`alter system reset synchronous_standby_names`.execute(db)
  await sql`select pg_reload_conf()`.execute(db)
  await expect.poll(standbys, { timeout: 10_000 }).toBe(0)
  // This server has no checksums, so how many failed is unknown.
  expect((await findDataSafety(worker)).checksumFailures).toBeNull()
})

test('a damaged page is counted when it is read', async () => {
  const directory = await createDirectory()
  const before = await startServer(directory)
  await migrate(before.url)
  const db = connect(before.url)
  await sql`create table public.ballast as select i from generate_series(1, 1000) i`.execute(db)
  const { rows } = await sql<{ path: string }>`select pg_relation_filepath('public.ballast') as path`.execute(db)
  await db.destroy()
  await before.stop()
  const file = await open(join(directory, 'data', rows[0]!.path), 'r+')
  await file.write(Buffer.alloc(100, 7), 0, 100, 4000)
  await file.close()

  const { url } = await startServer(directory)
  const worker = connect(asRole(url, 'brickmark_worker'))
  expect((await findDataSafety(worker)).checksumFailures).toBe(0)
  await expect(sql`select count(*) from public.ballast`.execute(connect(url))).rejects.toThrow('invalid page')
  await expect.poll(async () => (await findDataSafety(worker)).checksumFailures).toBeGreaterThan(0)
})
