import type pg from 'pg'
import type { FeedName, ParsedRow } from './feeds/feed-rows.ts'
import { unknownImport } from './import-queries.ts'
import { ingestRows, type IngestResult } from './ingest-commands.ts'

const ROWS_PER_BATCH = 10_000

/** Publishes a held import, as a new one. Rows that have become invalid meanwhile are quarantined. */
export async function acceptImport(pool: pg.Pool, importId: number): Promise<IngestResult> {
  const { rows } = await pool.query<{ feed: FeedName; file_name: string; fingerprint: string; held: boolean }>(
    'select feed, file_name, fingerprint, held_at is not null as held from source.import where id = $1',
    [importId],
  )
  const [found] = rows
  if (!found) throw unknownImport(importId)
  if (!found.held) throw new Error(`Import ${importId} isn’t held.`)
  return ingestRows(pool, found.feed, heldRows(pool, importId), {
    fileName: `${found.file_name} (held as import ${importId})`,
    fingerprint: () => found.fingerprint,
    isAccepted: true,
    withinTransaction: async (client) => {
      await client.query('delete from source.held_row where import_id = $1', [importId])
      await client.query('update source.import set held_at = null where id = $1', [importId])
    },
  })
}

/** Forgets a held import. Returns false if it isn't held. */
export async function dropHeldImport(pool: pg.Pool, importId: number): Promise<boolean> {
  const { rowCount } = await pool.query(
    `with dropped as (
       update source.import set held_at = null, undone_at = now() where id = $1 and held_at is not null returning id)
     , rows as (delete from source.held_row using dropped where import_id = dropped.id)
     select from dropped`,
    [importId],
  )
  return rowCount === 1
}

async function* heldRows(pool: pg.Pool, importId: number): AsyncGenerator<ParsedRow<object>[]> {
  for (let after = -1; ;) {
    const { rows } = await pool.query<{ row_number: number; staged: object }>(
      'select row_number, staged from source.held_row where import_id = $1 and row_number > $2 order by row_number limit $3',
      [importId, after, ROWS_PER_BATCH],
    )
    if (rows.length === 0) return
    yield rows.map(({ row_number, staged }) => ({ row_number, row: staged }))
    after = rows.at(-1)!.row_number
  }
}
