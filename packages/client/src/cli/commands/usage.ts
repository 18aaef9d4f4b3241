import type { Command } from 'commander'
import type { Brickmark, Schemas } from '../../brickmark.ts'
import { NotFoundError } from '../../errors.ts'
import { formatCredits, formatNumber, formatDuration, formatTimestamp } from '../format.ts'
import { examples, addOutputOptions, type DataOptions, type CliContext } from '../context.ts'
import { keyValueLines, table, type Column } from '../table.ts'

const FIELDS = ['limit', 'used', 'remaining', 'reset']
const DAYS = 7

export function addUsage(program: Command, { terminal, runQuery }: CliContext): void {
  addOutputOptions(program.command('usage').description('show the usage of your key (free)'))
    .addHelpText('after', examples('brickmark usage', 'brickmark usage --json'))
    .action((options: DataOptions) =>
      runQuery(options, {
        cost: { credits: 0 },
        fields: FIELDS,
        async ask(brickmark) {
          const data = await readUsage(brickmark)
          const { limit, used, remaining, reset, days = [] } = data
          const lines = () => [
            ...keyValueLines(terminal, [
              ['Used', `${formatNumber(used)} of ${formatCredits(limit)}`],
              ['Remaining', formatCredits(remaining)],
              ['Resets', `${formatTimestamp(reset)}, in ${formatDuration(Date.parse(reset) - Date.now())}`],
            ]),
            ...(days.length === 0 ? [] : ['', ...table(terminal, days.toReversed(), columns)]),
          ]
          return { rows: [data], data, renderText: lines, rateLimit: undefined }
        },
      }),
    )
}

type Usage = Omit<Schemas['UsageData'], 'days'> & { days?: Schemas['UsageDay'][] }

/** Servers without extensions know nothing but today. */
async function readUsage(brickmark: Brickmark): Promise<Usage> {
  try {
    return (await brickmark.getUsage({ days: DAYS })).data
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error
    const { limit, remaining, reset } = await brickmark.getRateLimit()
    return { limit, used: limit - remaining, remaining, reset: reset.toISOString() }
  }
}

const columns: Column<Schemas['UsageDay']>[] = [
  { title: 'Day', text: (day) => day.date },
  { title: 'Credits', text: (day) => formatNumber(day.credits), right: true },
  { title: 'Requests', text: (day) => formatNumber(day.requests), right: true },
  { title: 'Failed', text: (day) => formatNumber(day.failed), right: true },
  { title: 'Most requests', text: (day) => day.endpoints[0]?.endpoint ?? '', shrink: true },
]
