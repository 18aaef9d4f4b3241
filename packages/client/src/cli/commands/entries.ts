import type { Command } from 'commander'
import type { Schemas } from '../../brickmark.ts'
import { fields } from '../fields.generated.ts'
import { change, count, money, percent } from '../format.ts'
import { examples, wholeNumber, withOutput, type AskOptions, type Kit } from '../context.ts'
import { readRows } from '../list-command.ts'
import type { Column } from '../table.ts'

type Options = AskOptions & { brickfolio?: number; max?: number }

export function addEntries(program: Command, { terminal, answer }: Kit): void {
  withOutput(program.command('entries').description('your holdings with their values (1 unit for each 250)'))
    .option('--brickfolio <id>', 'of one collection; `brickmark portfolio` shows the ids', wholeNumber)
    .option('--max <number>', 'at most so many', wholeNumber)
    .addHelpText(
      'after',
      examples('brickmark entries --csv > holdings.csv', 'brickmark entries --brickfolio 2 --max 10'),
    )
    .action((options: Options) => {
      const { brickfolio, max } = options
      return answer(options, {
        price: { pagesOf: 'holdings', max },
        fields: fields.Holding,
        ask: (brickmark) =>
          readRows(
            terminal,
            brickmark.listEntries(brickfolio === undefined ? {} : { brickfolio_id: brickfolio }),
            columns,
            max,
          ),
      })
    })
}

const columns: Column<Schemas['Holding']>[] = [
  { title: 'In', text: (holding) => String(holding.brickfolio_id), right: true },
  { title: 'Set', text: (holding) => holding.set_number },
  { title: 'Title', text: (holding) => holding.title, shrink: true },
  { title: 'Units', text: (holding) => count(holding.quantity), right: true },
  { title: 'Condition', text: (holding) => holding.condition, spare: true },
  { title: 'Bought', text: (holding) => holding.purchase_date, spare: true },
  { title: 'Each', text: (holding) => money(holding.purchase_price_usd), right: true },
  { title: 'Value', text: (holding) => money(holding.total_current_value_usd), right: true },
  {
    title: 'Gain',
    text: (holding) => change(holding.unrealized_gain_loss_usd),
    sign: (holding) => holding.unrealized_gain_loss_usd ?? 0,
    right: true,
  },
  { title: '', text: (holding) => percent(holding.unrealized_gain_loss_pct), right: true },
]
