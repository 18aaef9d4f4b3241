import { Command } from 'commander'
import { recomputeDirty } from '@brickmark/core/market/values/recompute-commands'
import { withMarket } from '../context.ts'

export const recomputeCommand = new Command('recompute')
  .description('process pending changes now (retail prices and values)')
  .action(() =>
    withMarket(async (context) => {
      process.stdout.write(`${JSON.stringify(await recomputeDirty(context))}\n`)
    }),
  )
