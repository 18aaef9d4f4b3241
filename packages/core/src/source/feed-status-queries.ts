import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

/**
 * Returns the age of each feed's last file and each connector's last poll, plus the backlog of quarantined rows, held
 * imports and dirty items.
 */
export async function findFeedStatus(db: Database) {
  const [feeds, polls, dirty] = await Promise.all([
    sql<{ feed: string; age_seconds: number; quarantined: number }>`
      select feed, extract(epoch from now() - max(finished_at))::float8 as age_seconds,
             (select count(*)::integer from source.quarantine q where q.feed = i.feed and q.retried_at is null) as quarantined
        from source.import i group by feed`.execute(db),
    sql<{ source_id: string; age_seconds: number }>`
      select source_id, extract(epoch from now() - polled_at)::float8 as age_seconds from source.poll_cursor`.execute(
      db,
    ),
    sql<{ items: number; held: number }>`
      select ((select count(*) from source.valuation_queue) + (select count(*) from source.retail_queue))::integer as items,
             (select count(*)::integer from source.import where held_at is not null) as held`.execute(db),
  ])
  return { feeds: feeds.rows, polls: polls.rows, dirty: dirty.rows[0]!.items, held: dirty.rows[0]!.held }
}
