import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { runner, type MigrationBuilder } from 'node-pg-migrate'
import type pg from 'pg'
import { connectionConfig } from './primary-discovery.ts'

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))
const MIGRATIONS_TABLE = 'migration'

/**
 * A migration waiting for a lock blocks every query queued behind it, so give up quickly (which rolls it back) and
 * retry.
 */
const LOCK_TIMEOUT_MS = 100
const RETRY_MS = 500
const MAX_ATTEMPTS = 120

/** First line of a migration that can't run in a transaction; the rest is a single `create index concurrently`. */
export const NO_TRANSACTION_MARKER = '-- outside a transaction'

/**
 * Migrates the schema to this version of the code, running as the database owner. Returns the names of the applied
 * migrations.
 */
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
  // Blocks no other query, but has to wait for every transaction that started earlier.
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

/** Describes how the database schema differs from what this code expects, or returns undefined if they match. */
export async function schemaMismatch(pool: pg.Pool): Promise<string | undefined> {
  const expected = (await readdir(MIGRATIONS)).filter((file) => file.endsWith('.sql')).map((file) => file.slice(0, -4))
  const { rows } = await pool.query<{ name: string }>(`select name from public.${MIGRATIONS_TABLE}`)
  const present = new Set(rows.map((row) => row.name))
  const missing = expected.filter((name) => !present.has(name))
  return missing.length > 0 ? `missing migrations: ${missing.toSorted().join(', ')}` : undefined
}
