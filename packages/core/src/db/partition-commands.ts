import { sql } from 'kysely'
import type { Database } from './database.ts'

/** Creates the partitions of the coming days and drops expired ones. Returns how many changed, by schema. */
export async function maintainPartitions(db: Database): Promise<{ quota: number; source: number }> {
  const { rows } = await sql<{ quota: number; source: number }>`
    select account.keep_partitions() as quota, source.keep_partitions() as source`.execute(db)
  return rows[0]!
}
