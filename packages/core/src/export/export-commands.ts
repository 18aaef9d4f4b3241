import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { createGzip } from 'node:zlib'
import { sql } from 'kysely'
import { findSetNumbers } from '../catalog/set-queries.ts'
import { sortByNumber } from '../catalog/set-number.ts'
import type { MarketContext } from '../db/context.ts'
import type { Database } from '../db/database.ts'
import { loadMinifigs } from '../market/values/minifig-record-queries.ts'
import type { SetRecord } from '../market/values/set-record.ts'
import { loadSets } from '../market/values/set-record-queries.ts'
import { CHUNK_BYTES, type Dataset } from './export-queries.ts'
import { serializeMinifig, serializeMonth, serializeSet } from './v1-json.ts'

const HOUR_OF_DAY_UTC = 4
const RUNS_KEPT = 2
const SETS_PER_BATCH = 25

/**
 * Writes the files of a night, or those that replace invalid ones, once everything that was queued before is computed. Returns
 * the number of rows, or 0 if nothing is due.
 */
export async function writeDueExports({ db, now }: Pick<MarketContext, 'db' | 'now'>): Promise<{ rows: number }> {
  const startedAt = now()
  startedAt.setUTCMilliseconds(0)
  if (!(await areDue(db, startedAt))) return { rows: 0 }
  // Of a worker that was killed.
  await db.deleteFrom('export.run').where('finished_at', 'is', null).execute()
  const { id } = await db
    .insertInto('export.run')
    .values({ started_at: startedAt })
    .returning('id')
    .executeTakeFirstOrThrow()
  const rows = (await writeSets(db, id, startedAt)) + (await writeMinifigs(db, id))
  await db
    .updateTable('export.run')
    .set({ finished_at: sql`now()` })
    .where('id', '=', id)
    .execute()
  // Downloads of the run before can still end.
  await db
    .deleteFrom('export.run')
    .where('id', '<=', id - RUNS_KEPT)
    .execute()
  return { rows }
}

async function areDue(db: Database, now: Date): Promise<boolean> {
  const dueAt = new Date(now)
  dueAt.setUTCHours(HOUR_OF_DAY_UTC, 0, 0)
  if (dueAt > now) dueAt.setUTCDate(dueAt.getUTCDate() - 1)
  const { rows } = await sql<{ due: boolean }>`
    with due as (select greatest(valid_from, ${dueAt}) as at from export.validity)
    select exists (select from catalog.set)
       and not exists (select from export.run, due where finished_at is not null and started_at >= due.at)
       and not exists (select from source.valuation_queue, due where marked_at < due.at) as due`.execute(db)
  return rows[0]!.due
}

/** Writes sets, like `GET /set/{number}`, and their histories. Retail prices are left out: they are out of date within hours. */
async function writeSets(db: Database, runId: number, now: Date): Promise<number> {
  const sets = new ExportWriter(db, runId, 'sets')
  const history = new ExportWriter(db, runId, 'history')
  for await (const batch of loadAllSets(db)) {
    await sets.write(
      batch.map((set) => {
        const { retailers: _retailers, ...row } = serializeSet(set, now)
        return row
      }),
    )
    await history.write(batch.flatMap(toHistories))
  }
  return (await sets.end()) + (await history.end())
}

/** Like `GET /set/{number}/history`, for each condition that has a history. */
function toHistories({ set_number, months }: SetRecord): object[] {
  return (['sealed', 'used'] as const).flatMap((condition) => {
    const history = months[condition].months().map(serializeMonth)
    return history.length === 0 ? [] : [{ set_number, condition, history }]
  })
}

/** Writes minifigs, like `GET /minifig/{number}`. */
async function writeMinifigs(db: Database, runId: number): Promise<number> {
  const { rows } = await sql<{ minifig_number: string; sets: string[] }>`
    select minifig_number, array_agg(set_number) as sets from catalog.set_minifig group by 1`.execute(db)
  const setsWith = new Map(rows.map(({ minifig_number, sets }) => [minifig_number, sets]))
  const minifigs = await loadMinifigs(db)
  const writer = new ExportWriter(db, runId, 'minifigs')
  await writer.write(
    sortByNumber(minifigs, (minifig) => minifig.minifig_number).map((minifig) =>
      serializeMinifig(
        minifig,
        sortByNumber(setsWith.get(minifig.minifig_number) ?? [], (number) => number),
      ),
    ),
  )
  return writer.end()
}

/** Loads all sets in the order of their numbers, a quarter of the time: the machine has more urgent things to do. */
async function* loadAllSets(db: Database) {
  const numbers = sortByNumber(await findSetNumbers(db), (number) => number)
  for (let start = 0; start < numbers.length; start += SETS_PER_BATCH) {
    const startedAt = performance.now()
    const sets = await loadSets(db, numbers.slice(start, start + SETS_PER_BATCH))
    yield sortByNumber(sets, (set) => set.set_number)
    await sleep(3 * (performance.now() - startedAt))
  }
}

/** Writes rows as compressed NDJSON. Memory stays small, and no transaction stays open. */
class ExportWriter {
  readonly #db: Database
  readonly #key: { run_id: number; dataset: Dataset }
  readonly #gzip = createGzip()
  readonly #hash = createHash('sha256')
  #compressed = Buffer.alloc(0)
  #rows = 0
  #bytes = 0
  #position = 0

  constructor(db: Database, runId: number, dataset: Dataset) {
    this.#db = db
    this.#key = { run_id: runId, dataset }
    this.#gzip.on('data', (part: Buffer) => (this.#compressed = Buffer.concat([this.#compressed, part])))
  }

  async write(rows: object[]): Promise<void> {
    const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('')
    await new Promise<void>((resolve, reject) =>
      this.#gzip.write(lines, (error) => (error ? reject(error) : resolve())),
    )
    this.#rows += rows.length
    while (this.#compressed.length >= CHUNK_BYTES) await this.#writeChunk(CHUNK_BYTES)
  }

  /** Completes the file, and returns the number of its rows. */
  async end(): Promise<number> {
    const ended = once(this.#gzip, 'end')
    this.#gzip.end()
    await ended
    while (this.#compressed.length > 0) await this.#writeChunk(Math.min(CHUNK_BYTES, this.#compressed.length))
    await this.#db
      .insertInto('export.file')
      .values({ ...this.#key, rows: this.#rows, bytes: this.#bytes, sha256: this.#hash.digest() })
      .execute()
    return this.#rows
  }

  async #writeChunk(length: number): Promise<void> {
    const content = this.#compressed.subarray(0, length)
    this.#compressed = this.#compressed.subarray(length)
    this.#hash.update(content)
    this.#bytes += length
    await this.#db
      .insertInto('export.chunk')
      .values({ ...this.#key, position: this.#position++, content })
      .execute()
  }
}
