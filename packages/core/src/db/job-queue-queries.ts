import { sql } from 'kysely'
import type { Database } from './database.ts'

/** Counts queued jobs by name and state. */
export async function findQueueStatus(db: Database) {
  const { rows } = await sql<{ queue: string; state: string; jobs: number }>`
    select name as queue, state::text as state, count(*)::integer as jobs
      from pgboss.job where name not like '\\_\\_pgboss%' group by name, state`.execute(db)
  return rows
}
