import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Command } from 'commander'
import type pg from 'pg'
import { readRebrickable } from '@brickmark/core/source/connectors/rebrickable'
import { downloadDay, downloadRebrickable } from '@brickmark/core/source/connectors/rebrickable-download'
import { type IngestResult, ingestRows } from '@brickmark/core/source/ingest-commands'
import { withPool } from '../context.ts'
import { ProgressBar } from '../progress-bar.ts'
import { formatIngestResult } from './ingest.ts'

type ImportOptions = { source: string; license: string; all?: true; asOf?: string }

/** Imports Rebrickable catalog downloads from a folder. */
async function importRebrickable(
  pool: pg.Pool,
  folder: string,
  { source, license, all, asOf }: ImportOptions,
): Promise<IngestResult> {
  const { batches, counts } = readRebrickable(folder, {
    source_id: source,
    license_id: license,
    stated_on: asOf ?? (await downloadDay(folder)),
    withOthers: all ?? false,
  })
  const progress = new ProgressBar('Rebrickable')
  let rows = 0
  const result = await ingestRows(pool, 'catalog', batches, {
    fileName: basename(folder),
    fingerprint: () => '',
    onProgress(seen) {
      rows = seen
      // The total number of rows is unknown until the end.
      progress.report(0, 1, seen)
    },
  })
  progress.finish(rows)
  const { sets, minifigs, contains, others } = counts
  process.stderr.write(`Read ${sets} sets, ${minifigs} minifigs and ${contains} minifigs in sets.\n`)
  if (others > 0)
    process.stderr.write(`Left out ${others} products that aren’t sets: gear, books, no pieces. --all imports them.\n`)
  return result
}

async function downloadAndImport(pool: pg.Pool, url: string, options: ImportOptions): Promise<IngestResult> {
  const folder = await mkdtemp(join(tmpdir(), 'rebrickable-'))
  try {
    await downloadRebrickable(url, folder)
    return await importRebrickable(pool, folder, options)
  } finally {
    await rm(folder, { recursive: true })
  }
}

export const importRebrickableCommand = new Command('ingest-rebrickable')
  .description('import Rebrickable catalog downloads from a folder or an address')
  .argument(
    '<folder-or-url>',
    'with sets.csv, themes.csv, minifigs.csv, inventories.csv and inventory_minifigs.csv, or where to download them',
  )
  .requiredOption('--source <source>', 'source ID')
  .requiredOption('--license <license>', 'license ID')
  .option('--as-of <date>', 'day of the downloads; without this, the day on which sets.csv was last modified')
  .option('--all', 'import products that aren’t sets, too: gear, books and boxes without pieces')
  .action((location: string, options: ImportOptions) =>
    withPool(async (pool) => {
      const isAddress = /^https?:\/\//.test(location)
      const result = await (isAddress ? downloadAndImport : importRebrickable)(pool, location, options)
      process.stdout.write(`${formatIngestResult(result)}\n`)
    }),
  )
