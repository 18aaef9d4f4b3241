import type pg from 'pg'
import { declareSource } from '../db/write/source.ts'
import {
  pollRetail,
  type PollCounts,
  type RejectedAnswer,
  type RetailSource,
  type TokenBudget,
} from '../sources/retail-source.ts'
import type { ParsedRow, RetailRow } from '../sources/rows.ts'
import type { Engine } from './engine.ts'
import { ingestRows } from './ingest.ts'

/** A connector that is switched on, with the tokens it may spend. */
export type Connector = { source: RetailSource; budget: TokenBudget; licenceId: string; licenceTerms: string }

/**
 * Asks a retailer's source about every product it lists, from where the last run stopped: rows, answers that could not
 * be read and the place are stored together, so that a run cut short goes on where it was.
 */
export async function pollConnector({ pool }: Engine, connector: Connector, signal: AbortSignal): Promise<PollCounts> {
  const { source, budget } = connector
  const { licenceId: licence, licenceTerms: terms } = connector
  await declareSource(pool, { source: source.sourceId, name: source.name, licence, terms, rank: 1 })
  return pollRetail(source, {
    cursor: await findCursor(pool, source.sourceId),
    nextProducts: (cursor, limit) => findProductsAfter(pool, source.retailer, cursor, limit),
    publish: async (rows, cursor, rejected) => {
      await ingestRows(pool, 'retail', batchOf(rows, rejected), {
        fileName: `poll of ${source.name}`,
        fingerprint: () => '',
        together: (client) => saveCursor(client, source.sourceId, cursor),
      })
    },
    budget,
    signal,
  })
}

async function findCursor(pool: pg.Pool, sourceId: string): Promise<string | null> {
  const { rows } = await pool.query<{ cursor: string | null }>(
    'select cursor from source.poll_cursor where source_id = $1',
    [sourceId],
  )
  return rows[0]?.cursor ?? null
}

async function saveCursor(client: pg.ClientBase, sourceId: string, cursor: string | null): Promise<void> {
  await client.query(
    `insert into source.poll_cursor (source_id, cursor) values ($1, $2)
     on conflict (source_id) do update set cursor = excluded.cursor, polled_at = now()`,
    [sourceId, cursor],
  )
}

async function findProductsAfter(
  pool: pg.Pool,
  retailer: string,
  cursor: string | null,
  limit: number,
): Promise<string[]> {
  const { rows } = await pool.query<{ product_id: string }>(
    `select product_id from source.retail_product
      where retailer = $1 and ($2::text is null or product_id > $2) order by product_id limit $3`,
    [retailer, cursor, limit],
  )
  return rows.map((row) => row.product_id)
}

async function* batchOf(rows: RetailRow[], rejected: RejectedAnswer[]): AsyncGenerator<ParsedRow<RetailRow>[]> {
  yield [
    ...rows.map((row, place) => ({ row_number: place + 1, row })),
    ...rejected.map(({ reason, raw }, place) => ({ row_number: rows.length + place + 1, reason, raw })),
  ]
}
