import { Option, type Command } from 'commander'
import type { Schemas } from '../../brickmark.ts'
import { renderChart } from '../chart.ts'
import { fields } from '../fields.generated.ts'
import { formatNumber, formatUsd, formatPercent, textOrDash } from '../format.ts'
import { examples, addOutputOptions, type DataOptions, type CliContext } from '../context.ts'
import { table, type Column } from '../table.ts'
import type { Terminal } from '../terminal.ts'

type Options = DataOptions & { condition: 'sealed' | 'used' }

/** Months in the table; the chart above it shows all of them. */
const MONTHS_SHOWN = 12

export function addHistory(program: Command, { terminal, runQuery }: CliContext): void {
  addOutputOptions(program.command('history').description('monthly value history of a set, with a chart (1 credit)'))
    .argument('<number>', 'set number, e.g. 90000 or 90000-1')
    .addOption(new Option('--condition <condition>').choices(['sealed', 'used']).default('sealed'))
    .addHelpText('after', examples('brickmark history 90000-1', 'brickmark history 90000-1 --condition used --csv'))
    .action((number: string, options: Options) =>
      runQuery(options, {
        cost: { credits: 1 },
        fields: fields.HistoryPoint,
        async ask(brickmark) {
          const { data, meta } = await brickmark.getSetHistory(number, { condition: options.condition })
          return { rows: data.history, data, renderText: () => drawn(terminal, data), rateLimit: meta.rateLimit }
        },
      }),
    )
}

function drawn(terminal: Terminal, { set_number, condition, history }: Schemas['SetHistory']): string[] {
  const heading = terminal.style('bold', `${set_number}, ${condition}`)
  const valued = history.filter((point) => point.value_usd !== null)
  const [first, last] = [valued[0], valued.at(-1)]
  if (!first || !last) return [heading, 'No value history yet.']
  const points = history.map(({ month, value_usd }) => ({ label: month, value: value_usd }))
  const growth = first.value_usd ? (last.value_usd! / first.value_usd - 1) * 100 : null
  return [
    `${heading}: ${formatUsd(first.value_usd)} in ${first.month}, ${formatUsd(last.value_usd)} in ${last.month} (${formatPercent(growth)})`,
    '',
    ...renderChart(points, terminal.width, formatUsd),
    '',
    ...table(terminal, history.slice(-MONTHS_SHOWN), columns),
  ]
}

const columns: Column<Schemas['HistoryPoint']>[] = [
  { title: 'Month', text: ({ month }) => month },
  { title: 'Value', text: ({ value_usd }) => formatUsd(value_usd), right: true },
  { title: 'Low', text: ({ range_low }) => formatUsd(range_low), right: true },
  { title: 'High', text: ({ range_high }) => formatUsd(range_high), right: true },
  { title: 'Sales', text: ({ sales_count }) => formatNumber(sales_count), right: true },
  { title: 'Event', text: ({ event }) => (event === null ? '' : textOrDash(event).replaceAll('_', ' ')) },
]
