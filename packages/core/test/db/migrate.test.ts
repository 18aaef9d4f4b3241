import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import pg from 'pg'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { createDatabase, type TestDatabase } from '@brickmark/tests/support/database'
import { timeWithoutStalls } from '@brickmark/tests/support/timing'

/** Holds a copy of the migrations plus one more, next to the originals so that node_modules resolves. */
const CORE = fileURLToPath(new URL('../..', import.meta.url))
let root: string
let database: TestDatabase
let client: pg.Client

beforeEach(async () => {
  await mkdir(join(CORE, '.mutants'), { recursive: true })
  root = await mkdtemp(join(CORE, '.mutants/migrate-'))
  await cp(join(CORE, 'migrations'), join(root, 'migrations'), { recursive: true })
  await cp(join(CORE, 'src/db'), join(root, 'src/db'), { recursive: true })
  for (const file of ['package.json', 'roles.sql']) await symlink(join(CORE, file), join(root, file))
  database = await createDatabase(inject('serverUrl'))
  client = new pg.Client(database.url)
  await client.connect()
})

afterEach(async () => {
  await client.end()
  await database.drop()
  await rm(root, { recursive: true, force: true })
})

async function migrateWith(sql: string): Promise<string[]> {
  await writeFile(join(root, 'migrations/9999-more.sql'), sql)
  return migrateCopy()
}

async function migrateCopy(): Promise<string[]> {
  const module = (await import(pathToFileURL(join(root, 'src/db/migrate.ts')).href)) as {
    migrate(url: string): Promise<string[]>
  }
  return module.migrate(database.url)
}

test("a migration that can't get a lock gives up quickly and retries, so that queries aren't blocked behind it", async () => {
  await client.query('begin; select count(*) from catalog.set')
  const migrated = migrateWith('alter table catalog.set add column packaging text;')
  const other = new pg.Client(database.url)
  await other.connect()
  let slowest = 0
  for (const end = Date.now() + 1500; Date.now() < end;) {
    slowest = Math.max(slowest, await timeWithoutStalls(() => other.query('select count(*) from catalog.set')))
  }
  await other.end()
  await client.query('commit')
  expect(await migrated).toEqual(['9999-more'])
  expect(slowest).toBeLessThan(1000)
})

test('creates an index concurrently, outside a transaction', async () => {
  const sql = '-- outside a transaction: blocks no queries\ncreate index concurrently more on catalog.set (title);'
  expect(await migrateWith(sql)).toEqual(['9999-more'])
  const { rows } = await client.query(`select indisvalid from pg_index where indexrelid = 'catalog.more'::regclass`)
  expect(rows).toEqual([{ indisvalid: true }])
})

test('a failed migration leaves nothing behind', async () => {
  await expect(migrateWith('create table catalog.half (id int); select 1/0;')).rejects.toThrow(/division by zero/)
  const { rows } = await client.query(`select to_regclass('catalog.half') as half`)
  expect(rows).toEqual([{ half: null }])
})

test('refuses a database from before the baseline, and leaves its schema as it is', async () => {
  const earlier = ['0001-schemas', '0002-partitions', '0012-password-resets', '0040-operators-with-second-factor']
  await client.query('truncate public.migration')
  await client.query('insert into public.migration (name, run_on) select unnest($1::text[]), now()', [earlier])
  await expect(migrateWith('create table catalog.more (id int);')).rejects.toThrow(
    'This database was created before version 0.1 and can’t be migrated: create a new one and import your data again.',
  )
  const { rows } = await client.query(`select to_regclass('catalog.more') as more`)
  expect(rows).toEqual([{ more: null }])
})

test('accepts a database that a newer version has migrated', async () => {
  await client.query(`insert into public.migration (name, run_on) values ('9999-newer', now())`)
  expect(await migrateCopy()).toEqual([])
})
