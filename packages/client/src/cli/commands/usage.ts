import type { Command } from 'commander'
import { formatCredits, formatNumber, formatDuration, formatTimestamp } from '../format.ts'
import { examples, addOutputOptions, type DataOptions, type CliContext } from '../context.ts'
import { keyValueLines } from '../table.ts'

const FIELDS = ['limit', 'used', 'remaining', 'reset']

export function addUsage(program: Command, { terminal, runQuery }: CliContext): void {
  addOutputOptions(program.command('usage').description('show today’s API usage (free)'))
    .addHelpText('after', examples('brickmark usage', 'brickmark usage --json'))
    .action((options: DataOptions) =>
      runQuery(options, {
        cost: { credits: 0 },
        fields: FIELDS,
        async ask(brickmark) {
          const { limit, remaining, reset } = await brickmark.getRateLimit()
          const data = { limit, used: limit - remaining, remaining, reset: reset.toISOString() }
          const lines = () =>
            keyValueLines(terminal, [
              ['Used', `${formatNumber(data.used)} of ${formatCredits(limit)}`],
              ['Remaining', formatCredits(remaining)],
              ['Resets', `${formatTimestamp(reset)}, in ${formatDuration(reset.getTime() - Date.now())}`],
            ])
          return { rows: [data], data, renderText: lines, rateLimit: undefined }
        },
      }),
    )
}
