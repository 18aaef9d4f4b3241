import { Command } from 'commander'
import { withPool } from '../context.ts'
import { formatIngestResult } from './ingest.ts'
import { basename } from 'node:path'
import { readRebrickable } from '@brickmark/core/source/connectors/rebrickable'
import { type IngestResult, ingestRows } from '@brickmark/core/source/ingest-commands'
import type pg from 'pg'
import { ProgressBar } from '../progress-bar.ts'

type ImportOptions = { source: string; license: string; all?: boolean }

/** Imports Rebrickable catalog downloads from a folder. */
async function importRebrickable(
  pool: pg.Pool,
  folder: string,
  { source, license, all }: ImportOptions,
): Promise<IngestResult> {
  const { batches, counts } = readRebrickable(folder, {
    source_id: source,
    license_id: license,
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
  if (counts.others > 0)
    process.stderr.write(
      `Left out ${counts.others} products that aren’t sets: gear, books, no pieces. --all imports them.\n`,
    )
  return result
}

export const importRebrickableCommand = new Command('ingest-rebrickable')
  .description('import Rebrickable catalog downloads from a folder')
  .argument('<folder>', 'with sets.csv, themes.csv, minifigs.csv, inventories.csv and inventory_minifigs.csv')
  .requiredOption('--source <source>', 'source ID')
  .requiredOption('--license <license>', 'license ID')
  .option('--all', 'import products that aren’t sets, too: gear, books and boxes without pieces')
  .action((folder: string, options: ImportOptions) =>
    withPool(async (pool) => {
      process.stdout.write(`${formatIngestResult(await importRebrickable(pool, folder, options))}\n`)
    }),
  )
