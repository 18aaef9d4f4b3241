import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { runner, type MigrationBuilder } from 'node-pg-migrate'
import type pg from 'pg'
import { connectionConfig } from './primary-discovery.ts'

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))
const MIGRATIONS_TABLE = 'migration'

/**
 * While a migration waits for a lock, everybody who comes after waits behind it. So it gives up soon, which rolls all
 * of it back, and tries again later.
 */
const LOCK_TIMEOUT_MS = 100
const RETRY_MS = 500
const MAX_ATTEMPTS = 120

/** The first line of a migration that cannot run in a transaction: the rest is one `create index concurrently`. */
export const NO_TRANSACTION_MARKER = '-- outside a transaction'

/** Brings the schema up to this code's version; returns the names of the migrations it ran. Runs as the owner. */
export async function migrate(databaseUrl: string, dir = MIGRATIONS): Promise<string[]> {
  const applied: string[] = []
  for (;;) {
    const name = await retryOnLockTimeout(() => runNext(databaseUrl, dir))
    if (name === undefined) return applied
    applied.push(name)
  }
}

async function runNext(databaseUrl: string, dir: string): Promise<string | undefined> {
  const { Client, connectionString } = connectionConfig(databaseUrl)
  const client = new Client({ connectionString, lock_timeout: LOCK_TIMEOUT_MS, application_name: 'brickmark migrate' })
  await client.connect()
  try {
    const [migration] = await runner({
      dbClient: client,
      dir,
      direction: 'up',
      count: 1,
      migrationsTable: MIGRATIONS_TABLE,
      checkOrder: true,
      migrationLoaderStrategies: [{ extensions: ['.sql'], loader: loadSqlMigrations }],
      logger: SILENT_LOGGER,
    })
    return migration?.name
  } finally {
    await client.end()
  }
}

const SILENT_LOGGER = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

function loadSqlMigrations(filePaths: string[]) {
  return Promise.all(
    filePaths.map(async (filePath) => {
      const text = await readFile(filePath, 'utf8')
      return { id: filePath, filePaths: [filePath], actions: { up: (pgm: MigrationBuilder) => addSql(pgm, text) } }
    }),
  )
}

function addSql(pgm: MigrationBuilder, text: string): void {
  if (!text.startsWith(NO_TRANSACTION_MARKER)) return pgm.sql(text)
  pgm.noTransaction()
  // Nobody waits behind it, but it must wait for every transaction that began before it.
  pgm.sql('set lock_timeout = 0')
  pgm.sql(text)
  pgm.sql('reset lock_timeout')
}

const LOCK_NOT_AVAILABLE = '55P03'

async function retryOnLockTimeout<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE || attempt === MAX_ATTEMPTS) throw error
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
}

/** Says what is wrong between the database's schema and this code's, or undefined when they match. */
export async function schemaMismatch(pool: pg.Pool): Promise<string | undefined> {
  const expected = (await readdir(MIGRATIONS)).filter((file) => file.endsWith('.sql')).map((file) => file.slice(0, -4))
  const { rows } = await pool.query<{ name: string }>(`select name from public.${MIGRATIONS_TABLE}`)
  const present = new Set(rows.map((row) => row.name))
  const missing = expected.filter((name) => !present.has(name))
  return missing.length > 0 ? `the database lacks migration ${missing.toSorted().join(', ')}` : undefined
}
