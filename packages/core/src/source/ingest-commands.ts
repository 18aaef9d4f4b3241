import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type pg from 'pg'
import { inTransaction } from '../db/transaction.ts'
import { closeIngestLog, openIngestLog, quarantineRejectedRows, type IngestCounts } from './ingest-log-commands.ts'
import { CATALOG_COLUMNS, publishCatalog } from './feeds/catalog-feed-commands.ts'
import { publishRetail, RETAIL_COLUMNS } from './feeds/retail-feed-commands.ts'
import { publishReturns, RETURN_COLUMNS } from './feeds/returns-feed-commands.ts'
import { publishSales, SALE_COLUMNS } from './feeds/sales-feed-commands.ts'
import { stageRows, type StagedRow } from './feeds/staging-commands.ts'
import { parseFeed } from './feeds/feed.ts'
import type { FeedName, ParsedRow } from './feeds/feed-rows.ts'

const FEEDS: Record<
  FeedName,
  {
    columns: string[]
    publish: (client: pg.ClientBase, importId: number) => Promise<{ accepted: number; repeated: number }>
  }
> = {
  catalog: { columns: CATALOG_COLUMNS, publish: publishCatalog },
  sales: { columns: SALE_COLUMNS, publish: publishSales },
  returns: { columns: RETURN_COLUMNS, publish: publishReturns },
  retail: { columns: RETAIL_COLUMNS, publish: publishRetail },
}

export type IngestResult = IngestCounts & { importId: number }

/**
 * Ingests a file (stage, validate, publish) in one transaction: either all good rows are published and the bad ones
 * quarantined with their reasons, or nothing is stored. Ingesting the same file again changes nothing.
 */
export async function ingestFile(
  pool: pg.Pool,
  feed: FeedName,
  input: Readable,
  { fileName, onProgress }: { fileName: string; onProgress?: (rows: number) => void },
): Promise<IngestResult> {
  const digest = createHash('sha256')
  async function* hashChunks(): AsyncGenerator<Buffer> {
    for await (const chunk of input) {
      digest.update(chunk as Buffer)
      yield chunk as Buffer
    }
  }
  return ingestRows(pool, feed, parseFeedWithHeader(feed, Readable.from(hashChunks()), fileName), {
    fileName,
    fingerprint: () => digest.digest('hex'),
    ...(onProgress && { onProgress }),
  })
}

/** Parses the rows of a file. The `raw` text of a bad CSV line includes the header, so that it can be parsed again. */
export async function* parseFeedWithHeader(
  feed: FeedName,
  input: Readable,
  fileName?: string,
): AsyncGenerator<ParsedRow<object>[]> {
  let header = ''
  const onHeader = (line: string) => {
    header = `${line}\n`
  }
  for await (const batch of parseFeed(feed, input, { onHeader, ...(fileName !== undefined && { fileName }) })) {
    yield batch.map((parsed) => ('row' in parsed ? parsed : { ...parsed, raw: header + parsed.raw }))
  }
}

/** Like `ingestFile`, for rows that are already parsed, such as a connector's. */
export async function ingestRows(
  pool: pg.Pool,
  feed: FeedName,
  batches: AsyncIterable<ParsedRow<object>[]>,
  options: {
    fileName: string
    /** Called once, after the last row. */
    fingerprint: () => string
    onProgress?: (rows: number) => void
    /** Runs in the same transaction as the publish. */
    withinTransaction?: (client: pg.ClientBase) => Promise<void>
  },
): Promise<IngestResult> {
  const { columns, publish } = FEEDS[feed]
  return inTransaction(pool, async (client) => {
    await client.query("set local statement_timeout = 0; set local work_mem = '64MB'")
    const importId = await openIngestLog(client, { feed, fileName: options.fileName })
    await stageRows(client, columns, toStagedRows(columns, batches, options.onProgress))
    const { accepted, repeated } = await publish(client, importId)
    const quarantined = await quarantineRejectedRows(client, importId, feed)
    await closeIngestLog(client, importId, { accepted, repeated, quarantined }, options.fingerprint())
    await options.withinTransaction?.(client)
    await client.query("select pg_notify('observations', $1)", [feed])
    return { importId, accepted, repeated, quarantined }
  })
}

async function* toStagedRows(
  columns: string[],
  batches: AsyncIterable<ParsedRow<object>[]>,
  onProgress: ((rows: number) => void) | undefined,
): AsyncGenerator<StagedRow[]> {
  let seen = 0
  for await (const batch of batches) {
    yield batch.map((parsed) =>
      'row' in parsed
        ? { row_number: parsed.row_number, values: toTextValues(columns, parsed.row as Record<string, Scalar>) }
        : parsed,
    )
    seen += batch.length
    onProgress?.(seen)
  }
}

type Scalar = string | number | boolean | null | undefined

function toTextValues(columns: string[], row: Record<string, Scalar>): (string | null)[] {
  return columns.map((column) => {
    const value = row[column]
    return value === undefined || value === null ? null : String(value)
  })
}
