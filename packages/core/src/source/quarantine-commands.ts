import { Readable } from 'node:stream'
import type pg from 'pg'
import { findPendingQuarantine } from './quarantine-queries.ts'
import type { FeedName, ParsedRow } from './feeds/feed-rows.ts'
import type { MarketContext } from '../db/context.ts'
import { ingestRows, parseFeedWithHeader } from './ingest-commands.ts'
import type { IngestCounts } from './ingest-log-commands.ts'

type Quarantined = Awaited<ReturnType<typeof findPendingQuarantine>>[number]

const MAX_ROWS = 10_000

/**
 * Retries the quarantined rows of a feed, e.g. after missing catalog entries have arrived. In one transaction the rows
 * leave the quarantine, and those that still fail are quarantined again with the current reason.
 */
export async function retryQuarantine(
  { pool, db }: MarketContext,
  feed: FeedName,
): Promise<IngestCounts & { held?: string }> {
  const rows = await findPendingQuarantine(db, { feed, limit: MAX_ROWS })
  if (rows.length === 0) return { accepted: 0, repeated: 0, quarantined: 0 }
  return ingestRows(pool, feed, reparse(feed, rows), {
    fileName: 'retry of quarantined rows',
    fingerprint: () => '',
    withinTransaction: (client) => markRetried(client, rows),
  })
}

async function markRetried(client: pg.ClientBase, rows: Quarantined[]): Promise<void> {
  await client.query('update source.quarantine set retried_at = now() where id = any($1)', [rows.map((row) => row.id)])
}

async function* reparse(feed: FeedName, rows: Quarantined[]): AsyncGenerator<ParsedRow<object>[]> {
  const staged = rows.filter((row) => row.staged !== null)
  yield staged.map((row, index) => ({ row_number: index + 1, row: row.staged as object }))
  for (const { row_number, raw } of rows) {
    if (raw === null) continue
    try {
      yield* parseFeedWithHeader(feed, Readable.from([Buffer.from(`${raw}\n`)]))
    } catch (error) {
      yield [{ row_number, reason: (error as Error).message, raw }]
    }
  }
}
