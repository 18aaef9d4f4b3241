import { Command } from 'commander'
import { finalizeDueMonths } from '@brickmark/core/market/values/month-finalization-commands'
import { withMarket } from '../context.ts'

export const finalizeCommand = new Command('finalize').description('finalize every month that is due').action(() =>
  withMarket(async (context) => {
    process.stdout.write(`${JSON.stringify(await finalizeDueMonths(context))}\n`)
  }),
)
