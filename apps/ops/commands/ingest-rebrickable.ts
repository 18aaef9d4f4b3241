import { Command } from 'commander'
import type pg from 'pg'
import type { IngestResult } from '@brickmark/core/source/ingest-commands'
import { importRebrickable, withRebrickableDownloads } from '@brickmark/core/source/rebrickable-commands'
import { withPool } from '../context.ts'
import { ProgressBar } from '../progress-bar.ts'
import { formatIngestResult } from './ingest.ts'

type ImportOptions = { source: string; license: string; all?: true; asOf?: string }

async function importFolder(
  pool: pg.Pool,
  folder: string,
  { source, license, all, asOf }: ImportOptions,
): Promise<IngestResult> {
  const progress = new ProgressBar('Rebrickable')
  let rows = 0
  const { result, counts } = await importRebrickable(pool, folder, {
    source,
    license,
    asOf,
    withOthers: all ?? false,
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
      const result = isAddress
        ? await withRebrickableDownloads(location, (folder) => importFolder(pool, folder, options))
        : await importFolder(pool, location, options)
      process.stdout.write(`${formatIngestResult(result)}\n`)
    }),
  )
