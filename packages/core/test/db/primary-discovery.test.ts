import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { isDatabaseUnavailable, openPool } from '@brickmark/core/db/database'
import { freePort, startPostgres, type LocalPostgres } from '@brickmark/tools/local-postgres/local-postgres'
import { splitHosts } from '@brickmark/core/db/primary-discovery'

/** A read-only server simulates a standby; `npm run test:system -- failover` uses a real one. */
let directory: string
let readOnlyPostgres: LocalPostgres
const primary = inject('serverUrl')
const hostOf = (url: string) => new URL(url).host

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'brickmark-standby-'))
  readOnlyPostgres = await startPostgres(directory, { settings: { default_transaction_read_only: 'on', fsync: 'off' } })
})

afterAll(async () => {
  await readOnlyPostgres.stop()
  await rm(directory, { recursive: true, force: true })
})

async function portReached(...hosts: string[]): Promise<string> {
  const { username, password } = new URL(primary)
  const pool = openPool(`postgres://${username}${password && `:${password}`}@${hosts.join(',')}/postgres`)
  try {
    const { rows } = await pool.query<{ port: string }>(`select current_setting('port') as port`)
    return rows[0]!.port
  } finally {
    await pool.end()
  }
}

test('connects to the primary, wherever it is in the list', async () => {
  const { port } = new URL(primary)
  expect(await portReached(hostOf(readOnlyPostgres.url), hostOf(primary))).toBe(port)
  expect(await portReached(hostOf(primary), hostOf(readOnlyPostgres.url))).toBe(port)
})

test('skips an unreachable server', async () => {
  expect(await portReached(`127.0.0.1:${await freePort()}`, hostOf(primary))).toBe(new URL(primary).port)
})

test("without a primary, reports the database as unavailable and includes each server's error", async () => {
  const dead = `127.0.0.1:${await freePort()}`
  const error = await portReached(hostOf(readOnlyPostgres.url), dead).catch((reason: unknown) => reason)
  expect(String(error)).toMatch(/is a standby; connect ECONNREFUSED/)
  expect(isDatabaseUnavailable(error)).toBe(true)
})

test('splitHosts parses libpq multi-host URLs', () => {
  expect(splitHosts('postgres://a:b@one:5432,two:5433/brickmark?sslmode=require')).toEqual([
    'postgres://a:b@one:5432/brickmark?sslmode=require',
    'postgres://a:b@two:5433/brickmark?sslmode=require',
  ])
  expect(splitHosts('postgresql://one/brickmark')).toEqual(['postgresql://one/brickmark'])
})
