import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'

export const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))
export const MIGRATIONS_TABLE = 'migration'

/** Describes how the database schema differs from what this code expects, or returns undefined if they match. */
export async function schemaMismatch(pool: pg.Pool): Promise<string | undefined> {
  const expected = (await readdir(MIGRATIONS)).filter((file) => file.endsWith('.sql')).map((file) => file.slice(0, -4))
  const { rows } = await pool.query<{ name: string }>(`select name from public.${MIGRATIONS_TABLE}`)
  const present = new Set(rows.map((row) => row.name))
  const missing = expected.filter((name) => !present.has(name))
  return missing.length > 0 ? `missing migrations: ${missing.toSorted().join(', ')}` : undefined
}
