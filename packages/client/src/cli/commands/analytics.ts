import { Option, type Command } from 'commander'
import type { Schemas } from '../../brickmark.ts'
import { chart } from '../chart.ts'
import { fields } from '../fields.generated.ts'
import { change, count, money, percent, words } from '../format.ts'
import { examples, withOutput, type AskOptions, type Kit } from '../context.ts'
import { facts } from '../table.ts'
import type { Terminal } from '../terminal.ts'

type Options = AskOptions & { period: '30d' | '90d' | '1y' }

export function addAnalytics(program: Command, { terminal, answer }: Kit): void {
  withOutput(program.command('analytics').description('how your portfolio did, with a chart (1 unit)'))
    .addOption(new Option('--period <period>').choices(['30d', '90d', '1y']).default('1y'))
    .addHelpText('after', examples('brickmark analytics', 'brickmark analytics --period 30d --csv'))
    .action((options: Options) =>
      answer(options, {
        price: { units: 1 },
        fields: fields.ValuePoint,
        async ask(brickmark) {
          const { data, meta } = await brickmark.getAnalytics({ period: options.period })
          return { rows: data.value_history, data, lines: () => drawn(terminal, data), rateLimit: meta.rateLimit }
        },
      }),
    )
}

function drawn(terminal: Terminal, { period, summary, value_history }: Schemas['Analytics']): string[] {
  const { top_gainer: gainer, top_loser: loser } = summary
  const gain = `${change(summary.unrealized_gain_loss_usd)} (${percent(summary.unrealized_gain_loss_pct)})`
  const points = value_history.map(({ date, total_value_usd }) => ({ label: date, value: total_value_usd }))
  return [
    ...facts(terminal, [
      ['Value', `${money(summary.total_current_value_usd)}, cost ${money(summary.total_cost_basis_usd)}, ${gain}`],
      ['Holdings', `${count(summary.total_items)} units of ${count(summary.total_sets)} sets`],
      ['Best', gainer ? `${words(gainer.set_number)} ${words(gainer.title)} ${percent(gainer.gain_pct)}` : '–'],
      ['Worst', loser ? `${words(loser.set_number)} ${words(loser.title)} ${percent(loser.loss_pct)}` : '–'],
    ]),
    '',
    `Value over ${period}`,
    ...chart(points, terminal.width, money),
  ]
}
