import type pg from 'pg'
import type { MarketContext } from '../db/context.ts'
import { type Connector, type PollCounts, pollAllProducts, type RejectedProduct } from './connectors/retail-source.ts'
import type { ParsedRow, RetailRow } from './feeds/feed-rows.ts'
import { ingestRows } from './ingest-commands.ts'
import { findCursor, findNewProductsAfter, findProductsAfter } from './retail-poll-queries.ts'
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

/**
 * Polls a source for every listed product of its retailer, continuing from the saved cursor. Rows, rejected products
 * and the cursor are stored together, so that an interrupted run resumes where it stopped. Products that were never polled
 * come first, with their whole history if the source has one.
 */
export async function runRetailPoll(
  { pool }: MarketContext,
  connector: Connector,
  signal: AbortSignal,
): Promise<PollCounts> {
  const { source, bucket } = connector
  if (!(await declareConnector(pool, connector))) return WITHDRAWN_COUNTS
  const publish = async (
    rows: RetailRow[],
    rejected: RejectedProduct[],
    then: (client: pg.ClientBase) => Promise<void>,
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
      nextProducts: (cursor, limit) => findNewProductsAfter(pool, source.retailer, cursor, limit),
      publish: (rows, _cursor, rejected) => publish(rows, rejected, async () => {}),
      bucket,
      signal,
    })
  }
  return pollAllProducts(source, {
    cursor: await findCursor(pool, source.sourceId),
    nextProducts: (cursor, limit) => findProductsAfter(pool, source.retailer, cursor, limit),
    publish: (rows, cursor, rejected) =>
      publish(rows, rejected, (client) => saveCursor(client, source.sourceId, cursor)),
    bucket,
    signal,
  })
}

async function saveCursor(client: pg.ClientBase, sourceId: string, cursor: string | null): Promise<void> {
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
