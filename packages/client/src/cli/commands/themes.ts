import type { Command } from 'commander'
import { fields } from '../fields.generated.ts'
import { count } from '../format.ts'
import { examples, withOutput, type AskOptions, type Kit } from '../context.ts'
import { readRows } from '../list-command.ts'

export function addThemes(program: Command, { terminal, answer }: Kit): void {
  withOutput(program.command('themes').description('every theme and how many sets it has (1 unit)'))
    .addHelpText('after', examples('brickmark themes', 'brickmark themes --csv'))
    .action((options: AskOptions) =>
      answer(options, {
        price: { units: 1 },
        fields: fields.Theme,
        ask: (brickmark) =>
          readRows(terminal, brickmark.listThemes(), [
            { title: 'Theme', text: ({ theme }) => theme, shrink: true },
            { title: 'Sets', text: ({ set_count }) => count(set_count), right: true },
          ]),
      }),
    )
}
