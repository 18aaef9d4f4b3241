import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openDatabase, openPool, type Database } from '@brickmark/core/db/database'
import { startWorker } from '@brickmark/worker/worker'
import { asRole, createDatabase, type TestDatabase } from './support/database.ts'
import { ecbRates } from './support/ecb-rates.ts'

let database: TestDatabase
let ownerDatabase: Database

beforeAll(async () => {
  database = await createDatabase(inject('serverUrl'))
  ownerDatabase = openDatabase(openPool(database.url, { size: 1 }))
})
afterAll(async () => {
  await ownerDatabase.destroy()
  await database.drop()
})

const start = (databaseUrl: string, exchangeRatesUrl?: string) =>
  startWorker(
    {
      databaseUrl,
      listenUrl: databaseUrl,
      connectors: [],
      rebrickable: undefined,
      brickset: undefined,
      exchangeRatesUrl,
      logLevel: 'silent',
      metrics: undefined,
      webhooks: undefined,
      push: undefined,
    },
    pino({ level: 'silent' }),
  )

test('a worker refuses to run as a role that bypasses row-level security', async () => {
  await expect(start(database.url)).rejects.toThrow(
    'The worker cannot start: Refusing to start as role postgres: it bypasses row-level security.',
  )
})

test('a worker refuses to run without a migration', async () => {
  await sql`delete from public.migration where name = '0005-source'`.execute(ownerDatabase)
  await expect(start(asRole(database.url, 'brickmark_worker'))).rejects.toThrow(
    'The worker cannot start: missing migrations: 0005-source',
  )
  await sql`insert into public.migration (name, run_on) values ('0005-source', now())`.execute(ownerDatabase)
  const worker = await start(asRole(database.url, 'brickmark_worker'))
  await worker.stop()
})

test('a worker that has an address of exchange rates reads them when it starts', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rates-'))
  await writeFile(join(folder, 'rates.xml'), ecbRates('2026-11-20', { USD: 1.25 }))
  const worker = await start(asRole(database.url, 'brickmark_worker'), pathToFileURL(join(folder, 'rates.xml')).href)
  const rates = () => ownerDatabase.selectFrom('market.exchange_rate').select(['currency', 'per_usd']).execute()
  await expect.poll(rates, { timeout: 20_000 }).toEqual([{ currency: 'EUR', per_usd: 0.8 }])
  await worker.stop()
  await rm(folder, { recursive: true })
})
