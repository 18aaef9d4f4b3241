import type { Command } from 'commander'
import type { Schemas } from '../../brickmark.ts'
import { fields } from '../fields.generated.ts'
import { formatTimestamp } from '../format.ts'
import { examples, positiveInt, addOutputOptions, type DataOptions, type CliContext } from '../context.ts'
import { runListQuery } from '../list-command.ts'
import type { Column } from '../table.ts'

type Options = DataOptions & { max?: number }

export function addAlerts(program: Command, { terminal, runQuery }: CliContext): void {
  addOutputOptions(program.command('alerts').description('your alerts of the last 90 days (1 credit per 250)'))
    .option('--max <number>', 'maximum number of results', positiveInt)
    .addHelpText('after', examples('brickmark alerts --max 10', 'brickmark alerts --json'))
    .action((options: Options) =>
      runQuery(options, {
        cost: { perPageOf: 'alerts', max: options.max },
        fields: fields.Alert,
        ask: (brickmark) => runListQuery(terminal, brickmark.listAlerts(), columns, options.max),
      }),
    )
}

const columns: Column<Schemas['Alert']>[] = [
  { title: 'When', text: (alert) => formatTimestamp(alert.created_at) },
  { title: 'Number', text: (alert) => alert.number },
  { title: 'Title', text: (alert) => alert.title, shrink: true },
  { title: 'Why', text: (alert) => alert.reason, shrink: true },
]
