import type { Database } from '../db/database.ts'

/** Returns quarantined rows that haven't been retried yet, oldest first. */
export function findPendingQuarantine(db: Database, { feed, limit }: { feed?: string | undefined; limit: number }) {
  return db
    .selectFrom('source.quarantine as q')
    .innerJoin('source.import as i', 'i.id', 'q.import_id')
    .select(['q.id', 'q.import_id', 'q.feed', 'q.row_number', 'q.reason', 'q.raw', 'q.staged'])
    .select('i.file_name')
    .where('q.retried_at', 'is', null)
    .$if(feed !== undefined, (query) => query.where('q.feed', '=', feed!))
    .orderBy('q.id')
    .limit(limit)
    .execute()
}
