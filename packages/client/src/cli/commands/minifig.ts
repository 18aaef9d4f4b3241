import type { Command } from 'commander'
import { fields } from '../fields.generated.ts'
import { formatUsd, textOrDash } from '../format.ts'
import { examples, addOutputOptions, type DataOptions, type CliContext } from '../context.ts'
import { keyValueLines } from '../table.ts'

export function addMinifig(program: Command, { terminal, runQuery }: CliContext): void {
  addOutputOptions(program.command('minifig').description('a minifig with its value (1 unit)'))
    .argument('<number>', 'minifig number, in any case')
    .addHelpText('after', examples('brickmark minifig hbr001', 'brickmark minifig hbr001 --json'))
    .action((number: string, options: DataOptions) =>
      runQuery(options, {
        cost: { units: 1 },
        fields: fields.Minifig,
        async ask(brickmark) {
          const { data, meta } = await brickmark.getMinifig(number)
          const { value_range: range } = data
          const lines = () => [
            terminal.style('bold', `${data.minifig_number}  ${data.name}`),
            [textOrDash(data.category), data.color, data.year_released].filter((part) => part != null).join(' · '),
            '',
            ...keyValueLines(terminal, [
              ['Value', formatUsd(data.current_value_usd)],
              ['Next sale', `80 % between ${formatUsd(range.low)} and ${formatUsd(range.high)}`],
              ['In sets', data.sets.join(' ') || '–'],
            ]),
          ]
          return { rows: [data], data, renderText: lines, rateLimit: meta.rateLimit }
        },
      }),
    )
}
