import { Option, type Command } from 'commander'
import type { Schemas } from '../../brickmark.ts'
import { renderChart } from '../chart.ts'
import { fields } from '../fields.generated.ts'
import { formatUsdChange, formatCount, formatUsd, formatPercent, textOrDash } from '../format.ts'
import { examples, addOutputOptions, type DataOptions, type CliContext } from '../context.ts'
import { keyValueLines } from '../table.ts'
import type { Terminal } from '../terminal.ts'

type Options = DataOptions & { period: '30d' | '90d' | '1y' }

export function addAnalytics(program: Command, { terminal, runQuery }: CliContext): void {
  addOutputOptions(program.command('analytics').description('portfolio performance over time, with a chart (1 credit)'))
    .addOption(new Option('--period <period>').choices(['30d', '90d', '1y']).default('1y'))
    .addHelpText('after', examples('brickmark analytics', 'brickmark analytics --period 30d --csv'))
    .action((options: Options) =>
      runQuery(options, {
        cost: { credits: 1 },
        fields: fields.ValuePoint,
        async ask(brickmark) {
          const { data, meta } = await brickmark.getAnalytics({ period: options.period })
          return {
            rows: data.value_history,
            data,
            renderText: () => renderAnalytics(terminal, data),
            rateLimit: meta.rateLimit,
          }
        },
      }),
    )
}

function renderAnalytics(terminal: Terminal, { period, summary, value_history }: Schemas['Analytics']): string[] {
  const { top_gainer: gainer, top_loser: loser } = summary
  const gain = `${formatUsdChange(summary.unrealized_gain_loss_usd)} (${formatPercent(summary.unrealized_gain_loss_pct)})`
  const points = value_history.map(({ date, total_value_usd }) => ({ label: date, value: total_value_usd }))
  return [
    ...keyValueLines(terminal, [
      [
        'Value',
        `${formatUsd(summary.total_current_value_usd)}, cost ${formatUsd(summary.total_cost_basis_usd)}, ${gain}`,
      ],
      ['Holdings', `${formatCount(summary.total_items, 'unit')} across ${formatCount(summary.total_sets, 'set')}`],
      [
        'Best',
        gainer ? `${textOrDash(gainer.set_number)} ${textOrDash(gainer.title)} ${formatPercent(gainer.gain_pct)}` : '–',
      ],
      [
        'Worst',
        loser ? `${textOrDash(loser.set_number)} ${textOrDash(loser.title)} ${formatPercent(loser.loss_pct)}` : '–',
      ],
    ]),
    '',
    `Value over ${period}`,
    ...renderChart(points, terminal.width, formatUsd),
  ]
}
