import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

/**
 * Returns the dead-tuple ratio of the quota counters. Every charge has to skip dead tuples. They are pruned
 * on the next charge unless an older snapshot (a long transaction or a replication slot) still needs them.
 */
export async function findQuotaBloatRatio(db: Database): Promise<number> {
  const { rows } = await sql<{ kept: number }>`
    select coalesce(max(n_dead_tup / greatest(n_live_tup, 100)::float8), 0) as kept
      from pg_stat_user_tables where schemaname = 'account' and relname = 'api_key_quota'`.execute(db)
  return rows[0]!.kept
}
