import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'

export const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))
export const MIGRATIONS_TABLE = 'migration'

/** Number of the last migration of the baseline, which replaced all migrations from before the first release. */
export const BASELINE_MIGRATION = 12

/** Returns the names of the migrations in a directory. */
export async function findMigrations(dir: string): Promise<string[]> {
  return (await readdir(dir)).filter((file) => file.endsWith('.sql')).map((file) => file.slice(0, -4))
}

/** Describes how the database schema differs from what this code expects, or returns undefined if they match. */
export async function schemaMismatch(pool: pg.Pool): Promise<string | undefined> {
  const expected = await findMigrations(MIGRATIONS)
  const { rows } = await pool.query<{ name: string }>(`select name from public.${MIGRATIONS_TABLE}`)
  const present = new Set(rows.map((row) => row.name))
  const missing = expected.filter((name) => !present.has(name))
  return missing.length > 0 ? `missing migrations: ${missing.toSorted().join(', ')}` : undefined
}

/**
 * True if a database has migrations that the baseline replaced. A database that is newer than this code has unknown
 * migrations, too, but only after the baseline.
 */
export function predatesBaseline(applied: string[], known: string[]): boolean {
  return applied.some((name) => Number.parseInt(name, 10) <= BASELINE_MIGRATION && !known.includes(name))
}
