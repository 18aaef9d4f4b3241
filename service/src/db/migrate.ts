import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { runner } from 'node-pg-migrate'
import type pg from 'pg'

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))
const TABLE = 'migration'

/** Brings the schema up to this code's version; returns the names of the migrations it ran. Runs as the owner. */
export async function migrate(databaseUrl: string): Promise<string[]> {
  const done = await runner({
    databaseUrl,
    dir: MIGRATIONS,
    direction: 'up',
    migrationsTable: TABLE,
    checkOrder: true,
    log: () => {},
  })
  return done.map((migration) => migration.name)
}

/** Says what is wrong between the database's schema and this code's, or undefined when they match. */
export async function schemaMismatch(pool: pg.Pool): Promise<string | undefined> {
  const expected = (await readdir(MIGRATIONS)).filter((file) => file.endsWith('.sql')).map((file) => file.slice(0, -4))
  const { rows } = await pool.query<{ name: string }>(`select name from public.${TABLE}`)
  const present = new Set(rows.map((row) => row.name))
  const missing = expected.filter((name) => !present.has(name))
  return missing.length > 0 ? `the database lacks migration ${missing.toSorted().join(', ')}` : undefined
}
