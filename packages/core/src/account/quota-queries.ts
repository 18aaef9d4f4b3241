import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

/**
 * How many old versions PostgreSQL keeps of each counter of a day, at most over the days. A charge goes over all of them. They
 * are cleared away on the next charge, unless something still holds a snapshot from before: a long transaction, a slot.
 */
export async function findQuotaBloatRatio(db: Database): Promise<number> {
  const { rows } = await sql<{ kept: number }>`
    select coalesce(max(n_dead_tup / greatest(n_live_tup, 100)::float8), 0) as kept
      from pg_stat_user_tables where schemaname = 'account' and relname like 'quota\\_day%'`.execute(db)
  return rows[0]!.kept
}
