import type pg from 'pg'
import type { Database } from '../db/database.ts'
import { inTransaction } from '../db/transaction.ts'
import { lockClaims, resolveClaims } from './catalog-claim-commands.ts'
import { requeueItems, requeueProducts } from './requeue-commands.ts'

const ROWS_PER_TRANSACTION = 10_000

/** A table with rows of a source. */
type SourceTable = {
  key: string[]
  /** The column that says how old a row is. */
  day: string
  /** What its rows are about. */
  subject: [string, string] | [string]
  /** Has everything that rested on deleted rows computed again, in the transaction that deletes them. */
  onDelete: (client: pg.ClientBase, subjects: string[][]) => Promise<void>
}

const requeueSets = (client: pg.ClientBase, sets: string[]): Promise<void> =>
  requeueItems(
    client,
    sets.map((number) => ['set', number]),
  )

const TABLES: Record<string, SourceTable> = {
  'source.set_claim': {
    key: ['set_number', 'source_id'],
    day: 'stated_on',
    subject: ['set_number'],
    onDelete: async (client, subjects) => {
      await resolveClaims(client, { sets: subjects.flat(), minifigs: [] })
      await requeueSets(client, subjects.flat())
    },
  },
  'source.set_minifig_claim': {
    key: ['set_number', 'source_id', 'minifig_number'],
    day: 'stated_on',
    subject: ['set_number'],
    onDelete: (client, subjects) => resolveClaims(client, { sets: subjects.flat(), minifigs: [] }),
  },
  'source.minifig_claim': {
    key: ['minifig_number', 'source_id'],
    day: 'stated_on',
    subject: ['minifig_number'],
    onDelete: (client, subjects) => resolveClaims(client, { sets: [], minifigs: subjects.flat() }),
  },
  'source.sale_observation': {
    key: ['source_id', 'event_id', 'sold_on'],
    day: 'sold_on',
    subject: ['item_kind', 'item_number'],
    onDelete: requeueItems,
  },
  'source.sale_return': {
    key: ['source_id', 'event_id'],
    day: 'returned_on',
    subject: ['event_id'],
    onDelete: async () => {},
  },
  'source.retail_observation': {
    key: ['source_id', 'event_id', 'observed_at'],
    day: 'observed_at',
    subject: ['retailer', 'product_id'],
    onDelete: requeueProducts,
  },
}

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
  for (const [name, table] of Object.entries(TABLES)) {
    deleted[name] = 0
    for (let batch = ROWS_PER_TRANSACTION; batch === ROWS_PER_TRANSACTION;) {
      batch = await inTransaction(pool, (client) => deleteBatch(client, name, table, source, before ?? null))
      deleted[name] += batch
      total += batch
      onProgress?.(total)
    }
  }
  return deleted
}

async function deleteBatch(
  client: pg.ClientBase,
  name: string,
  { key, day, subject, onDelete }: SourceTable,
  source: string,
  before: string | null,
): Promise<number> {
  const keys = key.join(', ')
  await lockClaims(client)
  // An event that was deleted may be sent again.
  const forgetEvents =
    name === 'source.sale_observation'
      ? `, forgotten as (
          delete from source.sale_event e using deleted d where e.event_key = source.event_key(d.source_id, d.event_id))`
      : ''
  const { rows } = await client.query<{ count: number; subject: string[] }>(
    `with old as (
       select ${keys} from ${name} where source_id = $1 and ($2::date is null or ${day} < $2::date)
        limit ${ROWS_PER_TRANSACTION}),
     deleted as (
       delete from ${name} t using old
        where (${key.map((column) => `t.${column}`).join(', ')}) = (${key.map((column) => `old.${column}`).join(', ')})
       returning t.*)${forgetEvents}
     select count(*)::integer as count, array[${subject.join(', ')}]::text[] as subject from deleted group by 2 order by 2`,
    [source, before],
  )
  await onDelete(
    client,
    rows.map((row) => row.subject),
  )
  return rows.reduce((sum, { count }) => sum + count, 0)
}

/** Deletes what else is known from a source: traders, numbers of minifigs, doubtful matches, rejected rows and cursors. */
export async function deleteSourceRest(pool: pg.Pool, source: string): Promise<void> {
  await inTransaction(pool, async (client) => {
    for (const table of ['source.trader', 'source.poll_cursor', 'source.product_match', 'catalog.minifig_alias'])
      await client.query(`delete from ${table} where source_id = $1`, [source])
    // A row that couldn't be parsed has its source only as a word in its text.
    await client.query(
      `delete from source.quarantine
        where staged ->> 'source_id' = $1 or $1 = any(regexp_split_to_array(raw, '[^A-Za-z0-9_.-]+'))`,
      [source],
    )
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
