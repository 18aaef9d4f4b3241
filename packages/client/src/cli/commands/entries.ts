import type { Command } from 'commander'
import type { Schemas } from '../../brickmark.ts'
import { fields } from '../fields.generated.ts'
import { formatUsdChange, formatNumber, formatUsd, formatPercent } from '../format.ts'
import { examples, positiveInt, addOutputOptions, type DataOptions, type CliContext } from '../context.ts'
import { runListQuery } from '../list-command.ts'
import type { Column } from '../table.ts'

type Options = DataOptions & { brickfolio?: number; max?: number }

export function addEntries(program: Command, { terminal, runQuery }: CliContext): void {
  addOutputOptions(program.command('entries').description('your lots with current values (1 credit per 250)'))
    .option('--brickfolio <id>', 'only this collection (see IDs with `brickmark portfolio`)', positiveInt)
    .option('--max <number>', 'maximum number of results', positiveInt)
    .addHelpText(
      'after',
      examples('brickmark entries --csv > holdings.csv', 'brickmark entries --brickfolio 2 --max 10'),
    )
    .action((options: Options) => {
      const { brickfolio, max } = options
      return runQuery(options, {
        cost: { perPageOf: 'lots', max },
        fields: fields.Holding,
        ask: (brickmark) =>
          runListQuery(
            terminal,
            brickmark.listEntries(brickfolio === undefined ? {} : { brickfolio_id: brickfolio }),
            columns,
            max,
          ),
      })
    })
}

const columns: Column<Schemas['Holding']>[] = [
  { title: 'Coll.', text: (holding) => String(holding.brickfolio_id), right: true },
  { title: 'Set', text: (holding) => holding.set_number },
  { title: 'Title', text: (holding) => holding.title, shrink: true },
  { title: 'Qty', text: (holding) => formatNumber(holding.quantity), right: true },
  { title: 'Condition', text: (holding) => holding.condition, optional: true },
  { title: 'Purchased', text: (holding) => holding.purchase_date ?? '–', optional: true },
  { title: 'Price', text: (holding) => formatUsd(holding.purchase_price_usd), right: true },
  { title: 'Value', text: (holding) => formatUsd(holding.total_current_value_usd), right: true },
  {
    title: 'Gain',
    text: (holding) => formatUsdChange(holding.unrealized_gain_loss_usd),
    sign: (holding) => holding.unrealized_gain_loss_usd ?? 0,
    right: true,
  },
  { title: '', text: (holding) => formatPercent(holding.unrealized_gain_loss_pct), right: true },
]
