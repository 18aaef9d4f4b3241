import { Argument, Command } from 'commander'
import { withPool } from '../context.ts'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { FeedName } from '@brickmark/core/source/feeds/feed-rows'
import { ingestFile, type IngestResult } from '@brickmark/core/source/ingest-commands'
import type pg from 'pg'
import { ProgressBar } from '../progress-bar.ts'

/** Ingests a feed file, with a progress bar. */
async function ingestFeed(pool: pg.Pool, feed: FeedName, path: string, isAccepted: boolean): Promise<IngestResult> {
  const { size } = await stat(path).catch(() => {
    throw new Error(`File not found: ${path}`)
  })
  const input = createReadStream(path)
  const progress = new ProgressBar(basename(path))
  let rows = 0
  const result = await ingestFile(pool, feed, input, {
    fileName: basename(path),
    isAccepted,
    onProgress(seen) {
      rows = seen
      progress.report(input.bytesRead, size, seen)
    },
  })
  progress.finish(rows)
  return result
}

/** Formats the outcome of an ingested file. */
export function formatIngestResult({ accepted, repeated, quarantined, importId, held }: IngestResult): string {
  if (held !== undefined)
    return `Import ${importId} is held, and nothing of it was published: ${held}. Look at the file, then run \`ops import accept ${importId}\` or \`ops import undo ${importId} --yes\`.`
  const quarantineText =
    quarantined === 0 ? '0 quarantined' : `${quarantined} quarantined (list them with \`ops quarantine\`)`
  return `Import ${importId}: ${accepted} accepted, ${repeated} duplicates, ${quarantineText}.`
}

export const ingestCommand = new Command('ingest')
  .description('ingest a feed file: CSV or NDJSON, optionally gzipped (Data feeds in the docs)')
  .addArgument(new Argument('<feed>').choices(['catalog', 'sales', 'returns', 'retail']))
  .argument('<file>')
  .option('--accept', 'publish it even if its prices are implausible', false)
  .action((feed: FeedName, file: string, { accept }: { accept: boolean }) =>
    withPool(async (pool) => {
      const result = await ingestFeed(pool, feed, file, accept)
      process.stdout.write(`${formatIngestResult(result)}\n`)
      // A script that delivers files must notice.
      if (result.held !== undefined) process.exitCode = 1
    }),
  )
