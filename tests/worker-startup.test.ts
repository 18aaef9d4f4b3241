import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openDatabase, openPool, type Database } from '@brickmark/core/db/database'
import { startWorker } from '@brickmark/worker/worker'
import { asRole, createDatabase, type TestDatabase } from './support/database.ts'

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

const start = (databaseUrl: string) =>
  startWorker(
    {
      databaseUrl,
      listenUrl: databaseUrl,
      connectors: [],
      rebrickable: undefined,
      brickset: undefined,
      logLevel: 'silent',
      metrics: undefined,
      webhooks: undefined,
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
