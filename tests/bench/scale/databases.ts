import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { inDatabase } from '../../support/database.ts'
import { seedCatalog, type CatalogSize } from '../seed-catalog.ts'
import { POSTGRES_BIN } from '../debian-postgres.ts'
import { logProgress } from '../report.ts'
import { migratePartitioned } from './partitioned.ts'
import { openSeedPool, populate, type Population } from './population.ts'

/** Seeds the catalog of the default database, which the others use as their template. */
export async function seedTemplateCatalog(server: string, catalog: CatalogSize): Promise<void> {
  await withPool(server, (pool) => seedCatalog(pool, catalog))
  logProgress(`seeded a catalog of ${catalog.sets} sets`)
}

/** Creates a database with that catalog and the accounts of a population. */
export async function createPopulatedDatabase(server: string, name: string, population: Population): Promise<string> {
  await runOnServer(server, `create database ${name} template postgres strategy file_copy`)
  const url = inDatabase(server, name)
  await withPool(url, (pool) => populate(pool, population, (text) => logProgress(`${name}: ${text}`)))
  return url
}

/** Creates a database with the same rows, but partitioned account tables. */
export async function createPartitionedDatabase(server: string, population: Population): Promise<string> {
  await runOnServer(server, 'create database partitioned')
  const url = inDatabase(server, 'partitioned')
  await migratePartitioned(url)
  await copyCatalog(server, url)
  await withPool(url, (pool) => populate(pool, population, (text) => logProgress(`partitioned: ${text}`)))
  return url
}

async function copyCatalog(from: string, to: string): Promise<void> {
  await runSql(
    to,
    `do $$ declare t record; begin
    for t in select oid::regclass as name from pg_class where relkind = 'r' and relnamespace in ('catalog'::regnamespace, 'market'::regnamespace)
    loop execute 'truncate ' || t.name || ' cascade'; end loop; end $$`,
  )
  const dump = spawn(join(POSTGRES_BIN, 'pg_dump'), ['--data-only', '-n', 'catalog', '-n', 'market', from])
  const env = { ...process.env, PGOPTIONS: '-c session_replication_role=replica' }
  const load = spawn(join(POSTGRES_BIN, 'psql'), ['-q', '-v', 'ON_ERROR_STOP=1', to], { env })
  const done = once(load, 'exit')
  await pipeline(dump.stdout, load.stdin)
  const [code] = (await done) as [number | null]
  if (code !== 0) throw new Error('copying the catalog failed')
}

export async function runSql(url: string, statement: string): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query<pg.QueryResultRow>(statement)).rows
  } finally {
    await client.end()
  }
}

/** Runs a statement from another database, because a template must have no connections while it is copied. */
async function runOnServer(server: string, statement: string): Promise<void> {
  await runSql(inDatabase(server, 'template1'), statement)
}

async function withPool(url: string, work: (pool: pg.Pool) => Promise<void>): Promise<void> {
  const pool = openSeedPool(url)
  try {
    await work(pool)
  } finally {
    await pool.end()
  }
}
