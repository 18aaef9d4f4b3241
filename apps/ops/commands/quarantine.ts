import { Command, Option } from 'commander'
import type { FeedName } from '@brickmark/core/source/feeds/feed-rows'
import { retryQuarantine } from '@brickmark/core/source/quarantine-commands'
import { parsePositiveInt } from '../arguments.ts'
import { withMarket } from '../context.ts'
import type { Database } from '@brickmark/core/db/database'
import { findPendingQuarantine } from '@brickmark/core/source/quarantine-queries'

/** Prints quarantined rows with their origin, reason and content. */
async function listQuarantine(
  db: Database,
  { feed, limit }: { feed?: string | undefined; limit: number },
): Promise<void> {
  const rows = await findPendingQuarantine(db, { feed, limit })
  if (rows.length === 0) process.stdout.write('No quarantined rows.\n')
  for (const row of rows) {
    const text = row.raw ?? JSON.stringify(row.staged)
    const line = text.slice(text.lastIndexOf('\n') + 1)
    process.stdout.write(
      `${row.feed} import ${row.import_id} (${row.file_name}), row ${row.row_number}: ${row.reason}\n    ${line.slice(0, 200)}\n`,
    )
  }
}

export const quarantineCommand = new Command('quarantine')
  .description('list or retry quarantined rows')
  .addOption(new Option('--feed <feed>', 'limit to one feed').choices(['catalog', 'sales', 'returns', 'retail']))
  .option('--limit <number>', 'maximum number of rows to list', parsePositiveInt, 50)
  .option('--retry', 'retry all quarantined rows of --feed', false)
  .action((options: { feed?: FeedName; limit: number; retry: boolean }) =>
    withMarket(async (context) => {
      if (!options.retry) return listQuarantine(context.db, options)
      if (options.feed === undefined) throw new Error('--retry requires a feed, e.g. --feed sales.')
      const { accepted, repeated, quarantined } = await retryQuarantine(context, options.feed)
      process.stdout.write(`${accepted} accepted, ${repeated} duplicates, ${quarantined} still quarantined.\n`)
    }),
  )
