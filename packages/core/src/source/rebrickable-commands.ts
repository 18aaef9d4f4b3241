import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type pg from 'pg'
import type { MarketContext } from '../db/context.ts'
import { readRebrickable, type RebrickableCounts } from './connectors/rebrickable.ts'
import { downloadDay, downloadRebrickable } from './connectors/rebrickable-download.ts'
import { ingestRows, type IngestResult } from './ingest-commands.ts'
import { savePoll } from './retail-poll-commands.ts'
import { declareCatalogConnector } from './source-commands.ts'

export const REBRICKABLE = 'rebrickable'
const SOURCE = { id: REBRICKABLE, name: 'Rebrickable' }

export type RebrickableConnector = { url: string; licenseId: string; licenseTerms: string }

type ImportOptions = {
  source: string
  license: string
  /** The day of the downloads; without it, the day on which sets.csv was last modified. */
  asOf?: string | undefined
  withOthers?: boolean
  onProgress?: (rows: number) => void
  withinTransaction?: (client: pg.ClientBase) => Promise<void>
}

/** Imports the catalog from a folder of Rebrickable downloads. Either all of it is published, or nothing. */
export async function importRebrickable(
  pool: pg.Pool,
  folder: string,
  { source, license, asOf, withOthers = false, ...options }: ImportOptions,
): Promise<{ result: IngestResult; counts: RebrickableCounts }> {
  const { batches, counts } = readRebrickable(folder, {
    source_id: source,
    license_id: license,
    stated_on: asOf ?? (await downloadDay(folder)),
    withOthers,
  })
  const result = await ingestRows(pool, 'catalog', batches, {
    fileName: basename(folder),
    fingerprint: () => '',
    ...options,
  })
  return { result, counts }
}

/** Downloads the catalog files into a temporary folder, and passes it on. */
export async function withRebrickableDownloads<Result>(
  url: string,
  work: (folder: string) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'rebrickable-'))
  try {
    await downloadRebrickable(url, folder, signal)
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Reads the whole catalog of Rebrickable, unless the operator has withdrawn it. */
export async function refreshFromRebrickable(
  { pool }: Pick<MarketContext, 'pool'>,
  connector: RebrickableConnector,
  signal: AbortSignal,
): Promise<object> {
  if (!(await declareCatalogConnector(pool, { ...connector, ...SOURCE })))
    return { stopped: 'the source was withdrawn' }
  return withRebrickableDownloads(
    connector.url,
    async (folder) => {
      const { result, counts } = await importRebrickable(pool, folder, {
        source: SOURCE.id,
        license: connector.licenseId,
        withinTransaction: (client) => savePoll(client, SOURCE.id, null),
      })
      return { ...counts, ...result }
    },
    signal,
  )
}
