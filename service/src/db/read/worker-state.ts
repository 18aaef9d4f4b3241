import { sql } from 'kysely'
import type { Database } from '../database.ts'

/** Jobs of the queue by name and state; none before a worker has started for the first time. */
export async function findQueueState(db: Database) {
  const { rows: made } = await sql<{ made: boolean }>`select to_regclass('pgboss.job') is not null as made`.execute(db)
  if (!made[0]!.made) return []
  const { rows } = await sql<{ queue: string; state: string; jobs: number }>`
    select name as queue, state::text as state, count(*)::integer as jobs
      from pgboss.job where name not like '\\_\\_pgboss%' group by name, state`.execute(db)
  return rows
}

/** How old the last file of each feed and the last poll of each connector are, and what waits. */
export async function findFeedState(db: Database) {
  const [feeds, polls, unsettled] = await Promise.all([
    sql<{ feed: string; age_seconds: number; quarantined: number }>`
      select feed, extract(epoch from now() - max(finished_at))::float8 as age_seconds,
             (select count(*)::integer from source.quarantine q where q.feed = i.feed and q.retried_at is null) as quarantined
        from source.import i group by feed`.execute(db),
    sql<{ source_id: string; age_seconds: number }>`
      select source_id, extract(epoch from now() - polled_at)::float8 as age_seconds from source.poll_cursor`.execute(
      db,
    ),
    sql<{ items: number }>`
      select ((select count(*) from source.dirty_item) + (select count(*) from source.dirty_product))::integer as items`.execute(
      db,
    ),
  ])
  return { feeds: feeds.rows, polls: polls.rows, unsettled: unsettled.rows[0]!.items }
}

/**
 * How many old versions PostgreSQL keeps of each counter of a day, at most over the days. A charge goes over all of them. They
 * are cleared away on the next charge, unless something still holds a snapshot from before: a long transaction, a slot.
 */
export async function findOldCounters(db: Database): Promise<number> {
  const { rows } = await sql<{ kept: number }>`
    select coalesce(max(n_dead_tup / greatest(n_live_tup, 100)::float8), 0) as kept
      from pg_stat_user_tables where schemaname = 'account' and relname like 'quota\\_day%'`.execute(db)
  return rows[0]!.kept
}
