import type pg from 'pg'
import type { Database } from '../db/database.ts'
import { inTransaction } from '../db/transaction.ts'

const ROWS_PER_TRANSACTION = 10_000

/** The tables with rows of a source: their keys, and the column that says how old a row is. */
const TABLES = [
  { table: 'source.set_claim', key: ['set_number', 'source_id'], day: 'stated_on' },
  { table: 'source.set_minifig_claim', key: ['set_number', 'source_id', 'minifig_number'], day: 'stated_on' },
  { table: 'source.minifig_claim', key: ['minifig_number', 'source_id'], day: 'stated_on' },
  { table: 'source.sale_observation', key: ['source_id', 'event_id', 'sold_on'], day: 'sold_on' },
  { table: 'source.sale_return', key: ['source_id', 'event_id'], day: 'returned_on' },
  { table: 'source.retail_observation', key: ['source_id', 'event_id', 'observed_at'], day: 'observed_at' },
] as const

/**
 * Deletes the rows of a source in batches, each in a transaction of its own, so that a run that was interrupted continues
 * where it stopped. With `before` ('YYYY-MM-DD') only older rows. Returns how many rows were deleted, by table.
 */
export async function deleteSourceRows(
  pool: pg.Pool,
  source: string,
  { before, onProgress }: { before?: string; onProgress?: (deleted: number) => void } = {},
): Promise<Record<string, number>> {
  const deleted: Record<string, number> = {}
  let total = 0
  for (const { table, key, day } of TABLES) {
    const columns = key.join(', ')
    deleted[table] = 0
    for (let batch = ROWS_PER_TRANSACTION; batch === ROWS_PER_TRANSACTION;) {
      batch = await inTransaction(pool, async (client) => {
        const { rowCount } = await client.query(
          `with old as (
             select ${columns} from ${table} where source_id = $1 and ($2::date is null or ${day} < $2::date)
              limit ${ROWS_PER_TRANSACTION}),
           deleted as (
             delete from ${table} t using old where (${key.map((name) => `t.${name}`).join(', ')}) = (${key.map((name) => `old.${name}`).join(', ')})
             returning t.*)
           ${
             table === 'source.sale_observation'
               ? 'delete from source.sale_event e using deleted d where e.event_key = source.event_key(d.source_id, d.event_id)'
               : 'select from deleted'
           }`,
          [source, before ?? null],
        )
        return rowCount ?? 0
      })
      deleted[table] += batch
      total += batch
      onProgress?.(total)
    }
  }
  return deleted
}

/** Deletes what else is known from a source: its traders, rejected rows and how far it was polled. */
export async function deleteSourceRest(pool: pg.Pool, source: string): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query('delete from source.trader where source_id = $1', [source])
    await client.query('delete from source.poll_cursor where source_id = $1', [source])
    await client.query(`delete from source.quarantine where staged ->> 'source_id' = $1 or position($1 in raw) > 0`, [
      source,
    ])
  })
}

/** Deletes the products that a source named, and returns them. */
export async function deleteSourceProducts(
  db: Database,
  source: string,
): Promise<{ set_number: string; retailer: string }[]> {
  return db
    .deleteFrom('source.retail_product')
    .where('source_id', '=', source)
    .returning(['set_number', 'retailer'])
    .execute()
}
