import type { Command } from 'commander'
import { fields } from '../fields.generated.ts'
import { money, words } from '../format.ts'
import { examples, withOutput, type AskOptions, type Kit } from '../context.ts'
import { facts } from '../table.ts'

export function addMinifig(program: Command, { terminal, answer }: Kit): void {
  withOutput(program.command('minifig').description('a minifig with its value (1 unit)'))
    .argument('<number>', 'minifig number, in any case')
    .addHelpText('after', examples('brickmark minifig hbr001', 'brickmark minifig hbr001 --json'))
    .action((number: string, options: AskOptions) =>
      answer(options, {
        price: { units: 1 },
        fields: fields.Minifig,
        async ask(brickmark) {
          const { data, meta } = await brickmark.getMinifig(number)
          const { value_range: range } = data
          const lines = () => [
            terminal.paint('bold', `${data.minifig_number}  ${data.name}`),
            [words(data.category), data.color, data.year_released].filter((part) => part != null).join(' · '),
            '',
            ...facts(terminal, [
              ['Value', money(data.current_value_usd)],
              ['Next sale', `80 % between ${money(range.low)} and ${money(range.high)}`],
              ['In sets', data.sets.join(' ') || '–'],
            ]),
          ]
          return { rows: [data], data, lines, rateLimit: meta.rateLimit }
        },
      }),
    )
}
