import type { Command } from 'commander'
import { count, duration, instant } from '../format.ts'
import { examples, withOutput, type AskOptions, type Kit } from '../context.ts'
import { facts } from '../table.ts'

const FIELDS = ['limit', 'used', 'remaining', 'reset']

export function addUsage(program: Command, { terminal, answer }: Kit): void {
  withOutput(program.command('usage').description('what is left of the day (free)'))
    .addHelpText('after', examples('brickmark usage', 'brickmark usage --json'))
    .action((options: AskOptions) =>
      answer(options, {
        price: { units: 0 },
        fields: FIELDS,
        async ask(brickmark) {
          const { limit, remaining, reset } = await brickmark.getRateLimit()
          const data = { limit, used: limit - remaining, remaining, reset: reset.toISOString() }
          const lines = () =>
            facts(terminal, [
              ['Used', `${count(data.used)} of ${count(limit)} units`],
              ['Left', `${count(remaining)} units`],
              ['Reset', `${instant(reset)}, in ${duration(reset.getTime() - Date.now())}`],
            ])
          return { rows: [data], data, lines, rateLimit: undefined }
        },
      }),
    )
}
