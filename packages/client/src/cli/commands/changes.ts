import type { Command } from 'commander'
import type { Schemas } from '../../brickmark.ts'
import { fields } from '../fields.generated.ts'
import { formatTimestamp } from '../format.ts'
import { examples, addOutputOptions, type DataOptions, type CliContext } from '../context.ts'
import { table, type Column } from '../table.ts'

type Options = DataOptions & { after?: string }

export function addChanges(program: Command, { terminal, runQuery }: CliContext): void {
  addOutputOptions(
    program.command('changes').description('which sets and minifigs changed (1 credit per 1,000 changes)'),
  )
    .option('--after <position>', 'where the previous call ended; without it, only the current position is shown')
    .addHelpText('after', examples('brickmark changes', 'brickmark changes --after 7f3a-1c2-6a3f52c0 --json'))
    .action((options: Options) =>
      runQuery(options, {
        cost: { perPageOf: 'thousands of changes', max: 1 },
        fields: fields.Change,
        async ask(brickmark) {
          const { after } = options
          const { data, meta } = await brickmark.listChanges(after === undefined ? {} : { after })
          const lines = () => [
            ...(data.changes.length === 0 ? [] : [...table(terminal, data.changes, columns), '']),
            `${data.has_more ? 'There are more' : 'Continue'} with --after ${data.next}`,
          ]
          return { rows: data.changes, data, renderText: lines, rateLimit: meta.rateLimit }
        },
      }),
    )
}

const columns: Column<Schemas['Change']>[] = [
  { title: 'Changed at', text: (change) => formatTimestamp(new Date(change.changed_at)) },
  { title: 'What', text: (change) => change.kind },
  { title: 'Item', text: (change) => change.item },
  { title: 'Number', text: (change) => change.number },
]
