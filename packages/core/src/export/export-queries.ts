import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

export const DATASETS = ['sets', 'minifigs', 'history'] as const
export type Dataset = (typeof DATASETS)[number]

/** The size of every chunk of a file but the last. */
export const CHUNK_BYTES = 16 * 1024

export type ExportFile = {
  runId: number
  dataset: Dataset
  createdAt: Date
  rows: number
  bytes: number
  /** In hexadecimal. */
  sha256: string
}

const files = (condition = sql`true`) => sql<ExportFile>`
  select f.run_id as "runId", f.dataset, r.started_at as "createdAt", f.rows, f.bytes, encode(f.sha256, 'hex') as sha256
    from export.run r join export.file f on f.run_id = r.id
   where r.finished_at is not null and r.started_at >= (select valid_from from export.validity) and ${condition}`

/** Returns the latest files, in the order of `DATASETS`; none if what a license allows has changed since. */
export async function findLatestExports(db: Database): Promise<ExportFile[]> {
  const { rows } = await files(sql`r.id = (select max(id) from export.run where finished_at is not null)`).execute(db)
  return DATASETS.flatMap((dataset) => rows.find((file) => file.dataset === dataset) ?? [])
}

/** Returns one of the files that can be downloaded. */
export async function findExport(db: Database, dataset: string, createdAt: Date): Promise<ExportFile | undefined> {
  const { rows } = await files(sql`r.started_at = ${createdAt} and f.dataset = ${dataset}`).execute(db)
  return rows[0]
}

/** Returns a chunk of a file; throws if the file may not be served any more. */
export async function readExportChunk(db: Database, { runId, dataset }: ExportFile, position: number): Promise<Buffer> {
  const { rows } = await sql<{ content: Buffer }>`
    select c.content
      from export.chunk c join export.run r on r.id = c.run_id
     where c.run_id = ${runId} and c.dataset = ${dataset} and c.position = ${position}
       and r.started_at >= (select valid_from from export.validity)`.execute(db)
  if (!rows[0]) throw new Error(`there is no chunk ${position} of ${dataset}`)
  return rows[0].content
}
