import type pg from 'pg'
import type { MarketContext } from '../db/context.ts'
import { type Connector, type PollCounts, pollAllProducts, type RejectedProduct } from './connectors/retail-source.ts'
import type { ParsedRow, RetailRow } from './feeds/feed-rows.ts'
import { ingestRows } from './ingest-commands.ts'
import {
  findCursor,
  findNewProductsAfter,
  findProductsAfter,
  findUncheckedProductsAfter,
} from './retail-poll-queries.ts'
import { declareConnector } from './source-commands.ts'

const WITHDRAWN_COUNTS: PollCounts = {
  outcome: 'stopped',
  reason: 'the source was withdrawn',
  retryAfterMs: null,
  cursor: null,
  calls: 0,
  failedCalls: 0,
  products: 0,
  rows: 0,
  rejected: 0,
}

/** How old the prices of sets that somebody watches or owns may get, as far as the tokens last. */
export const WANTED_MAX_AGE_HOURS = 4

/**
 * Polls a source for every listed product of its retailer, continuing from the saved cursor. Rows, rejected products
 * and the cursor are stored together, so that an interrupted run resumes where it stopped. First come products that were never
 * polled, with their whole history if the source has one; then those of `wantedSets` that weren't checked for hours.
 */
export async function runRetailPoll(
  { pool, now }: MarketContext,
  connector: Connector,
  signal: AbortSignal,
  wantedSets: string[] = [],
): Promise<PollCounts> {
  const { source, bucket } = connector
  if (!(await declareConnector(pool, connector))) return WITHDRAWN_COUNTS
  const publish = async (
    rows: RetailRow[],
    rejected: RejectedProduct[],
    then: (client: pg.ClientBase) => Promise<void> = async () => {},
  ) => {
    await ingestRows(pool, 'retail', toBatch(rows, rejected), {
      fileName: `poll of ${source.name}`,
      fingerprint: () => '',
      withinTransaction: then,
    })
  }
  if (source.withHistory !== undefined) {
    await pollAllProducts(source.withHistory, {
      cursor: null,
      nextProducts: (cursor, limit) => findNewProductsAfter(pool, source, cursor, limit),
      publish: (rows, cursor, rejected) =>
        publish(rows, rejected, (client) => markHistoryRead(client, source.retailer, cursor)),
      bucket,
      signal,
    })
  }
  const since = new Date(now().getTime() - WANTED_MAX_AGE_HOURS * 3_600_000)
  await pollAllProducts(source, {
    cursor: null,
    nextProducts: (cursor, limit) =>
      findUncheckedProductsAfter(pool, { retailer: source.retailer, sets: wantedSets, since }, cursor, limit),
    publish: (rows, _cursor, rejected) => publish(rows, rejected),
    bucket,
    signal,
  })
  return pollAllProducts(source, {
    cursor: await findCursor(pool, source.sourceId),
    nextProducts: (cursor, limit) => findProductsAfter(pool, source.retailer, cursor, limit),
    publish: (rows, cursor, rejected) => publish(rows, rejected, (client) => savePoll(client, source.sourceId, cursor)),
    bucket,
    signal,
  })
}

/** New products are read in order, so all up to the cursor were. One that was rejected isn't read again each time. */
async function markHistoryRead(client: pg.ClientBase, retailer: string, cursor: string | null): Promise<void> {
  await client.query(
    `update source.retail_product set history_read_at = now()
      where retailer = $1 and history_read_at is null and ($2::text is null or product_id <= $2)`,
    [retailer, cursor],
  )
}

/** Records that a source was read just now, and how far. */
export async function savePoll(client: pg.ClientBase, sourceId: string, cursor: string | null): Promise<void> {
  await client.query(
    `insert into source.poll_cursor (source_id, cursor) values ($1, $2)
     on conflict (source_id) do update set cursor = excluded.cursor, polled_at = now()`,
    [sourceId, cursor],
  )
}

async function* toBatch(rows: RetailRow[], rejected: RejectedProduct[]): AsyncGenerator<ParsedRow<RetailRow>[]> {
  yield [
    ...rows.map((row, index) => ({ row_number: index + 1, row })),
    ...rejected.map(({ reason, raw }, index) => ({ row_number: rows.length + index + 1, reason, raw })),
  ]
}
