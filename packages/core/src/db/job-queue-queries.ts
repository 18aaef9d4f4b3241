import { sql } from 'kysely'
import type { Database } from './database.ts'

/** Counts queued jobs by name and state. */
export async function findQueueStatus(db: Database) {
  const { rows } = await sql<{ queue: string; state: string; jobs: number }>`
    select name as queue, state::text as state, count(*)::integer as jobs
      from pgboss.job where name not like '\\_\\_pgboss%' group by name, state`.execute(db)
  return rows
}

/**
 * Returns for how many seconds each scheduled job hasn't succeeded; a job that never has is as old as its schedule, or as
 * the queue's memory of a week.
 */
export async function findJobAges(db: Database): Promise<{ name: string; ageSeconds: number }[]> {
  const { rows } = await sql<{ name: string; ageSeconds: number }>`
    select s.name, extract(epoch from now() - coalesce(
             (select max(completed_on) from pgboss.job j where j.name = s.name and j.state = 'completed'),
             s.created_on))::float8 as "ageSeconds"
      from pgboss.schedule s`.execute(db)
  return rows
}

/** Returns the seconds since a worker last looked for jobs that are due, or null if none ever has. */
export async function findSchedulerAge(db: Database): Promise<number | null> {
  const { rows } = await sql<{ seconds: number | null }>`
    select extract(epoch from now() - cron_on)::float8 as seconds from pgboss.version`.execute(db)
  return rows[0]?.seconds ?? null
}
