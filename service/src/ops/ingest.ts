import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type pg from 'pg'
import { ingestFile, ingestRows, type IngestResult } from '../market/ingest.ts'
import { readRebrickable } from '../sources/rebrickable.ts'
import type { FeedName } from '../sources/rows.ts'
import { Progress } from './progress.ts'

/** Takes a file of one of our feeds, showing how far it has come. */
export async function ingestFeed(pool: pg.Pool, feed: FeedName, path: string): Promise<IngestResult> {
  const { size } = await stat(path).catch(() => {
    throw new Error(`There is no file ${path}.`)
  })
  const input = createReadStream(path)
  const progress = new Progress(basename(path))
  let rows = 0
  const result = await ingestFile(pool, feed, input, {
    fileName: basename(path),
    onProgress(seen) {
      rows = seen
      progress.report(input.bytesRead, size, seen)
    },
  })
  progress.finish(rows)
  return result
}

/** Takes Rebrickable's catalog downloads from a folder. */
export async function importRebrickable(
  pool: pg.Pool,
  folder: string,
  { source, licence }: { source: string; licence: string },
): Promise<IngestResult> {
  const { batches, counts } = readRebrickable(folder, { source_id: source, licence_id: licence })
  const progress = new Progress('Rebrickable')
  let rows = 0
  const result = await ingestRows(pool, 'catalog', batches, {
    fileName: basename(folder),
    fingerprint: () => '',
    onProgress(seen) {
      rows = seen
      // How many rows there are is known only at the end.
      progress.report(0, 1, seen)
    },
  })
  progress.finish(rows)
  if (counts.minifigs_without_number > 0) {
    process.stderr.write(
      `${counts.minifigs_without_number} minifigs were left out: minifig-numbers.csv gives them no marketplace number.\n`,
    )
  }
  return result
}

/** One sentence about what became of a file. */
export function inWords({ accepted, repeated, quarantined, importId }: IngestResult): string {
  const held = quarantined === 0 ? 'none quarantined' : `${quarantined} quarantined (\`ops quarantine\` lists them)`
  return `Import ${importId}: ${accepted} new, ${repeated} known already, ${held}.`
}
