import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type pg from 'pg'
import { inTransaction } from '../db/transaction.ts'
import { findImplausiblePrices } from './import-check-queries.ts'
import {
  closeIngestLog,
  holdStagedRows,
  openIngestLog,
  quarantineRejectedRows,
  rejectUnknownSources,
  type IngestCounts,
} from './ingest-log-commands.ts'
import { CATALOG_COLUMNS, publishCatalog } from './feeds/catalog-feed-commands.ts'
import { prepareRetail, publishRetail, RETAIL_COLUMNS } from './feeds/retail-feed-commands.ts'
import { publishReturns, RETURN_COLUMNS } from './feeds/returns-feed-commands.ts'
import { prepareSales, publishSales, SALE_COLUMNS } from './feeds/sales-feed-commands.ts'
import { stageRows, type StagedRow } from './feeds/staging-commands.ts'
import { parseFeed } from './feeds/feed.ts'
import type { FeedName, ParsedRow } from './feeds/feed-rows.ts'

type Feed = {
  columns: string[]
  /** Rejects staged rows that can't be published. */
  prepare?: (client: pg.ClientBase) => Promise<void>
  publish: (client: pg.ClientBase, importId: number) => Promise<{ accepted: number; repeated: number }>
}

const FEEDS: Record<FeedName, Feed> = {
  catalog: { columns: CATALOG_COLUMNS, publish: publishCatalog },
  sales: { columns: SALE_COLUMNS, prepare: prepareSales, publish: publishSales },
  returns: { columns: RETURN_COLUMNS, prepare: rejectUnknownSources, publish: publishReturns },
  retail: { columns: RETAIL_COLUMNS, prepare: prepareRetail, publish: publishRetail },
}

export type IngestResult = IngestCounts & {
  importId: number
  /** Why nothing was published: an operator has to accept the import. */
  held?: string
}

/**
 * Ingests a file (stage, validate, publish) in one transaction: either all good rows are published and the bad ones
 * quarantined with their reasons, or nothing is stored. Ingesting the same file again changes nothing. A file whose prices
 * don't agree with what is known is held: its rows are kept, but nothing is published until an operator accepts it.
 */
export async function ingestFile(
  pool: pg.Pool,
  feed: FeedName,
  input: Readable,
  {
    fileName,
    isAccepted = false,
    onProgress,
  }: { fileName: string; isAccepted?: boolean; onProgress?: (rows: number) => void },
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
    isAccepted,
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
    /** Set if an operator has looked at it: it isn't held. */
    isAccepted?: boolean
    /** Runs in the same transaction as the publish. */
    withinTransaction?: (client: pg.ClientBase) => Promise<void>
  },
): Promise<IngestResult> {
  const { columns, prepare, publish } = FEEDS[feed]
  return inTransaction(pool, async (client) => {
    await client.query("set local statement_timeout = 0; set local work_mem = '64MB'")
    const importId = await openIngestLog(client, { feed, fileName: options.fileName })
    await stageRows(client, columns, toStagedRows(columns, batches, options.onProgress))
    await prepare?.(client)
    const held = options.isAccepted ? undefined : await findImplausiblePrices(client, feed)
    if (held !== undefined) await holdStagedRows(client, importId, held)
    const { accepted, repeated } = held === undefined ? await publish(client, importId) : { accepted: 0, repeated: 0 }
    const quarantined = await quarantineRejectedRows(client, importId, feed)
    await closeIngestLog(client, importId, { accepted, repeated, quarantined }, options.fingerprint())
    await options.withinTransaction?.(client)
    await client.query("select pg_notify('observations', $1)", [feed])
    return { importId, accepted, repeated, quarantined, ...(held !== undefined && { held }) }
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
