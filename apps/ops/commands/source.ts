import { Command } from 'commander'
import { withdrawSource } from '@brickmark/core/market/withdrawal/source-withdrawal-commands'
import { declareSource } from '@brickmark/core/source/source-commands'
import { countSourceRows, findSources } from '@brickmark/core/source/source-queries'
import { parsePositiveInt } from '../arguments.ts'
import { withDatabase, withMarket, withPool } from '../context.ts'

type Source = Awaited<ReturnType<typeof findSources>>[number]
type SourceRows = NonNullable<Awaited<ReturnType<typeof countSourceRows>>>

const addCommand = new Command('add')
  .description('register a licensed data source')
  .argument('<source>', 'source ID used in files')
  .argument('<license>', 'license ID')
  .requiredOption('--name <name>', 'display name of the source')
  .requiredOption('--terms <terms>', 'summary of the license terms')
  .option('--rank <number>', 'priority when sources disagree (higher wins)', parsePositiveInt, 1)
  .action((source: string, license: string, options: { name: string; terms: string; rank: number }) =>
    withPool(async (pool) => {
      await declareSource(pool, { source, license, ...options })
      process.stdout.write(`Registered source ${source} with license ${license}.\n`)
    }),
  )

const listCommand = new Command('list')
  .description('list the sources with their licenses, highest rank first')
  .action(() =>
    withDatabase(async (db) => {
      const sources = await findSources(db)
      if (sources.length === 0) process.stdout.write('No source yet. Register one with `ops source add`.\n')
      for (const source of sources) process.stdout.write(`${formatSource(source)}\n`)
    }),
  )

const withdrawCommand = new Command('withdraw')
  .description('stop using a source, delete its rows and recompute what rested on them')
  .argument('<source>', 'source ID')
  .option('--yes', 'withdraw it; without this, only show what would be deleted')
  .action((source: string, { yes }: { yes?: true }) =>
    withMarket(async (market) => {
      const rows = await countSourceRows(market.db, source)
      if (rows === undefined) throw new Error(`There is no source ${source}. \`ops source list\` shows all.`)
      process.stdout.write(formatSourceRows(source, rows))
      if (!yes) {
        process.stdout.write('Nothing was changed. Run it again with --yes to withdraw the source.\n')
        return
      }
      const { revisedValues, deleted } = await withdrawSource(market, source, (step, done) => {
        process.stderr.write(step === 'months' ? `${done} months checked\n` : `${done} rows deleted\n`)
      })
      const total = Object.values(deleted).reduce((sum, count) => sum + count, 0)
      process.stdout.write(
        `Withdrawn: ${total} rows deleted, ${revisedValues} month values revised. The worker recomputes current values.\n`,
      )
    }),
  )

/** Formats a source in one line, with what its license allows. */
function formatSource(source: Source): string {
  const rules = [
    source.feeds_values ? 'feeds values' : 'does not feed values',
    source.shown ? 'shown' : 'not shown',
    ...(source.max_display_age === null ? [] : [`for ${source.max_display_age} at most`]),
    ...(source.retention === null ? [] : [`kept for ${source.retention}`]),
  ]
  const state = source.withdrawn_at === null ? '' : `, withdrawn ${source.withdrawn_at.toISOString().slice(0, 10)}`
  return `${source.id} (${source.name}), rank ${source.rank}, license ${source.license_id}: ${rules.join(', ')}${state}`
}

function formatSourceRows(source: string, rows: SourceRows): string {
  return [
    `Source ${source} has`,
    `  ${rows.sets} sets, ${rows.minifigs} minifigs and ${rows.contents} contents of sets`,
    `  ${rows.sales} sales of ${rows.valued_items} items, and ${rows.returns} returns`,
    `  ${rows.retail_observations} retail observations and ${rows.products} products`,
    'Withdrawing deletes these rows. Catalog attributes fall back to other sources; values, retail prices and finalized',
    'months are computed again without it, and the changes of months are logged. It cannot be undone.',
    '',
  ].join('\n')
}

export const sourceCommand = new Command('source')
  .description('manage data sources')
  .addCommand(addCommand)
  .addCommand(listCommand)
  .addCommand(withdrawCommand)
