import { Readable } from 'node:stream'
import { sql } from 'kysely'
import type pg from 'pg'
import { openPool, type Database } from '@brickmark/core/db/database'
import type { IngestResult } from '@brickmark/core/source/ingest-commands'
import type { FeedName } from '@brickmark/core/source/feeds/feed-rows'
import { asRole } from '../../../support/database.ts'
import type { TestEnvironment } from '../../harness/test-environment.ts'
import { loadIngest } from './load-ingest.ts'

/** Result of ingesting a file: its counts, a rejection, or an unexpected error. */
export type Outcome = { ingestResult: IngestResult } | { refused: string } | { crash: Error; isSql: boolean }

const SQLSTATE = /^[0-9A-Z]{5}$/

/** Ingests files as the worker's role, using the code under test. */
export class Ingester {
  readonly pool: pg.Pool
  readonly #code: Awaited<ReturnType<typeof loadIngest>>

  private constructor(pool: pg.Pool, code: Awaited<ReturnType<typeof loadIngest>>) {
    this.pool = pool
    this.#code = code
  }

  static async open(environment: TestEnvironment, root: string): Promise<Ingester> {
    const pool = openPool(asRole(environment.url, 'brickmark_worker'), { size: 8, statementTimeoutMs: 60_000 })
    return new Ingester(pool, await loadIngest(root))
  }

  async ingest(feed: FeedName, bytes: Buffer, fileName: string): Promise<Outcome> {
    try {
      return { ingestResult: await this.#code.ingestFile(this.pool, feed, Readable.from([bytes]), { fileName }) }
    } catch (error) {
      if (error instanceof this.#code.FeedRejectedError) return { refused: error.message }
      const { code } = error as { code?: unknown }
      return { crash: error as Error, isSql: typeof code === 'string' && SQLSTATE.test(code) }
    }
  }

  /** Ingests a file that is valid by construction. */
  async ingestOrThrow(feed: FeedName, bytes: Buffer, fileName: string): Promise<IngestResult> {
    const outcome = await this.ingest(feed, bytes, fileName)
    if ('ingestResult' in outcome) return outcome.ingestResult
    throw 'crash' in outcome ? outcome.crash : new Error(outcome.refused)
  }

  close(): Promise<void> {
    return this.pool.end()
  }
}

export const rowsOf = ({ accepted, repeated, quarantined }: IngestResult) => accepted + repeated + quarantined

/** Registers sources under a license, as `ops source add` does. */
export async function registerSources(db: Database, license: string, sources: string[]): Promise<void> {
  await sql`insert into source.license (id, terms) values (${license}, 'for proofs')
    on conflict do nothing`.execute(db)
  await sql`insert into source.source (id, name, license_id)
    select s, s, ${license} from unnest(${sources}::text[]) s on conflict do nothing`.execute(db)
}

/** Lists imports whose bad rows are not each in quarantine exactly once, with a row number and a reason. */
export async function findQuarantineMismatches(db: Database): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select format('import %s (%s): %s rows refused, %s of them in quarantine with a reason', i.id, i.file_name,
             i.quarantined, count(distinct q.row_number)) as line
      from source.import i
      left join source.quarantine q on q.import_id = i.id and q.row_number >= 1 and q.reason ~ '[^[:space:]]'
     group by i.id
    having count(q.id) <> i.quarantined or count(distinct q.row_number) <> i.quarantined`.execute(db)
  return rows.map((row) => row.line)
}

const COUNTED_TABLES = ['sale_observation', 'sale_event', 'sale_return', 'retail_observation', 'import', 'quarantine']

/** Counts rows by table. */
export async function countRows(db: Database): Promise<Record<string, number>> {
  const counts = COUNTED_TABLES.map((table) => `(select count(*) from source.${table}) as ${table}`)
  const { rows } = await sql<Record<string, number>>`select ${sql.raw(counts.join(', '))}`.execute(db)
  return rows[0]!
}
