import { Command } from 'commander'
import { declareSource } from '@brickmark/core/source/source-commands'
import { parsePositiveInt } from '../arguments.ts'
import { withPool } from '../context.ts'

export const sourceAddCommand = new Command('source-add')
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
