import type { Command } from 'commander'
import { fields } from '../fields.generated.ts'
import { formatRange, formatUsd, textOrDash } from '../format.ts'
import { examples, addOutputOptions, type DataOptions, type CliContext } from '../context.ts'
import { keyValueLines } from '../table.ts'

export function addMinifig(program: Command, { terminal, runQuery }: CliContext): void {
  addOutputOptions(program.command('minifig').description('look up a minifig and its value (1 credit)'))
    .argument('<number>', 'minifig number, e.g. hbr001')
    .addHelpText('after', examples('brickmark minifig hbr001', 'brickmark minifig hbr001 --json'))
    .action((number: string, options: DataOptions) =>
      runQuery(options, {
        cost: { credits: 1 },
        fields: fields.Minifig,
        async ask(brickmark) {
          const { data, meta } = await brickmark.getMinifig(number)
          const lines = () => [
            terminal.style('bold', `${data.minifig_number}  ${data.name}`),
            [textOrDash(data.category), data.color, data.year_released].filter((part) => part != null).join(' · '),
            '',
            ...keyValueLines(terminal, [
              ['Value', formatUsd(data.current_value_usd)],
              ['Likely range', formatRange(data.value_range)],
              ['In sets', data.sets.join(' ') || '–'],
            ]),
          ]
          return { rows: [data], data, renderText: lines, rateLimit: meta.rateLimit }
        },
      }),
    )
}
