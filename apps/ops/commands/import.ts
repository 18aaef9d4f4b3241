import { Command } from 'commander'
import { undoImport } from '@brickmark/core/market/withdrawal/import-undo-commands'
import { countImportRows, findImports, unknownImport, type ImportRecord } from '@brickmark/core/source/import-queries'
import { acceptImport } from '@brickmark/core/source/held-import-commands'
import { formatIngestResult } from './ingest.ts'
import { parsePositiveInt } from '../arguments.ts'
import { withDatabase, withMarket } from '../context.ts'

const listCommand = new Command('list')
  .description('list the latest files and polls, newest first')
  .option('--limit <number>', 'how many', parsePositiveInt, 20)
  .action(({ limit }: { limit: number }) =>
    withDatabase(async (db) => {
      const imports = await findImports(db, limit)
      if (imports.length === 0) process.stdout.write('No import yet.\n')
      for (const record of imports) process.stdout.write(`${formatImport(record)}\n`)
    }),
  )

const acceptCommand = new Command('accept')
  .description('publish an import that is held')
  .argument('<import>', 'number of the import', parsePositiveInt)
  .action((importId: number) =>
    withMarket(async ({ pool }) => {
      process.stdout.write(`${formatIngestResult(await acceptImport(pool, importId))}\n`)
    }),
  )

const undoCommand = new Command('undo')
  .description('delete the rows of an import and recompute what depended on them')
  .argument('<import>', 'number of the import', parsePositiveInt)
  .option('--yes', 'undo it; without this, only show what would be deleted')
  .action((importId: number, { yes }: { yes?: true }) =>
    withMarket(async (market) => {
      const counts = await countImportRows(market.db, importId)
      if (counts === undefined) throw unknownImport(importId)
      if (counts.held > 0)
        process.stdout.write(`Import ${importId} is held: nothing of its ${counts.held} rows was published.\n`)
      else
        process.stdout.write(
          `Import ${importId} (${counts.feed}) has ${counts.rows} rows about ${counts.items} items. ${counts.months} months were finalized since.\n`,
        )
      if (!yes) {
        process.stdout.write('Nothing was changed. Run it again with --yes to undo the import.\n')
        return
      }
      const { deleted, revisedValues } = await undoImport(market, importId, (step, done) => {
        process.stderr.write(step === 'months' ? `${done} months checked\n` : `${done} rows deleted\n`)
      })
      process.stdout.write(
        `Undone: ${deleted} rows deleted, ${revisedValues} month values revised. The worker recomputes current values.\n`,
      )
    }),
  )

function stateOf({ held_at, held_reason, undo_started_at, undone_at }: ImportRecord): string {
  if (held_at) return `\n      held: ${held_reason}`
  if (undone_at) return ', undone'
  return undo_started_at ? ', being undone' : ''
}

/** Formats an import in one line, or two if it is held. */
function formatImport(record: ImportRecord): string {
  const { id, feed, file_name: name, accepted, repeated, quarantined } = record
  const state = stateOf(record)
  const at = record.finished_at.toISOString().slice(0, 16).replace('T', ' ')
  return `${id}  ${at}  ${feed}  ${name}: ${accepted} accepted, ${repeated} duplicates, ${quarantined} quarantined${state}`
}

export const importCommand = new Command('import')
  .description('list imports, accept one that is held, or undo one')
  .addCommand(listCommand)
  .addCommand(acceptCommand)
  .addCommand(undoCommand)
