import type { Command } from 'commander'
import { fields } from '../fields.generated.ts'
import { formatNumber } from '../format.ts'
import { examples, addOutputOptions, type DataOptions, type CliContext } from '../context.ts'
import { runListQuery } from '../list-command.ts'

export function addThemes(program: Command, { terminal, runQuery }: CliContext): void {
  addOutputOptions(program.command('themes').description('list all themes (1 credit)'))
    .addHelpText('after', examples('brickmark themes', 'brickmark themes --csv'))
    .action((options: DataOptions) =>
      runQuery(options, {
        cost: { credits: 1 },
        fields: fields.Theme,
        ask: (brickmark) =>
          runListQuery(terminal, brickmark.listThemes(), [
            { title: 'Theme', text: ({ theme }) => theme, shrink: true },
            { title: 'Sets', text: ({ set_count }) => formatNumber(set_count), right: true },
          ]),
      }),
    )
}
