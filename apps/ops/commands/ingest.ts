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
async function ingestFeed(pool: pg.Pool, feed: FeedName, path: string): Promise<IngestResult> {
  const { size } = await stat(path).catch(() => {
    throw new Error(`File not found: ${path}`)
  })
  const input = createReadStream(path)
  const progress = new ProgressBar(basename(path))
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

/** Formats the outcome of an ingested file. */
export function formatIngestResult({ accepted, repeated, quarantined, importId }: IngestResult): string {
  const quarantineText =
    quarantined === 0 ? '0 quarantined' : `${quarantined} quarantined (list them with \`ops quarantine\`)`
  return `Import ${importId}: ${accepted} accepted, ${repeated} duplicates, ${quarantineText}.`
}

export const ingestCommand = new Command('ingest')
  .description('ingest a feed file: CSV or NDJSON, optionally gzipped (Data feeds in the docs)')
  .addArgument(new Argument('<feed>').choices(['catalog', 'sales', 'returns', 'retail']))
  .argument('<file>')
  .action((feed: FeedName, file: string) =>
    withPool(async (pool) => {
      process.stdout.write(`${formatIngestResult(await ingestFeed(pool, feed, file))}\n`)
    }),
  )
