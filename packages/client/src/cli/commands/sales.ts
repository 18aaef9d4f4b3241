import type { Command } from 'commander'
import type { Schemas } from '../../brickmark.ts'
import { fields } from '../fields.generated.ts'
import { change, count, money, percent } from '../format.ts'
import { examples, wholeNumber, withOutput, type AskOptions, type Kit } from '../context.ts'
import { readRows } from '../list-command.ts'
import type { Column } from '../table.ts'

type Options = AskOptions & { max?: number }

export function addSales(program: Command, { terminal, answer }: Kit): void {
  withOutput(program.command('sales').description('your sales, newest first (1 unit for each 250)'))
    .option('--max <number>', 'at most so many', wholeNumber)
    .addHelpText('after', examples('brickmark sales --max 10', 'brickmark sales --csv > sales.csv'))
    .action((options: Options) =>
      answer(options, {
        price: { pagesOf: 'sales', max: options.max },
        fields: fields.Sale,
        ask: (brickmark) => readRows(terminal, brickmark.listSales(), columns, options.max),
      }),
    )
}

const columns: Column<Schemas['Sale']>[] = [
  { title: 'Date', text: (sale) => sale.sale_date },
  { title: 'Set', text: (sale) => sale.set_number },
  { title: 'Title', text: (sale) => sale.title, shrink: true },
  { title: 'Platform', text: (sale) => sale.platform, spare: true },
  { title: 'Units', text: (sale) => count(sale.quantity), right: true },
  { title: 'Gross', text: (sale) => money(sale.gross_proceeds_usd), right: true, spare: true },
  { title: 'Net', text: (sale) => money(sale.net_proceeds_usd), right: true },
  {
    title: 'Profit',
    text: (sale) => change(sale.profit_loss_usd),
    sign: (sale) => sale.profit_loss_usd ?? 0,
    right: true,
  },
  { title: 'ROI', text: (sale) => percent(sale.roi_pct), right: true },
]
