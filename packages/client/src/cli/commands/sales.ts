import type { Command } from 'commander'
import type { Schemas } from '../../brickmark.ts'
import { fields } from '../fields.generated.ts'
import { formatUsdChange, formatNumber, formatUsd, formatPercent } from '../format.ts'
import { examples, positiveInt, addOutputOptions, type DataOptions, type CliContext } from '../context.ts'
import { runListQuery } from '../list-command.ts'
import type { Column } from '../table.ts'

type Options = DataOptions & { max?: number }

export function addSales(program: Command, { terminal, runQuery }: CliContext): void {
  addOutputOptions(program.command('sales').description('your sales, newest first (1 credit per 250)'))
    .option('--max <number>', 'maximum number of results', positiveInt)
    .addHelpText('after', examples('brickmark sales --max 10', 'brickmark sales --csv > sales.csv'))
    .action((options: Options) =>
      runQuery(options, {
        cost: { perPageOf: 'sales', max: options.max },
        fields: fields.Sale,
        ask: (brickmark) => runListQuery(terminal, brickmark.listSales(), columns, options.max),
      }),
    )
}

const columns: Column<Schemas['Sale']>[] = [
  { title: 'Date', text: (sale) => sale.sale_date },
  { title: 'Set', text: (sale) => sale.set_number },
  { title: 'Title', text: (sale) => sale.title, shrink: true },
  { title: 'Platform', text: (sale) => sale.platform, optional: true },
  { title: 'Qty', text: (sale) => formatNumber(sale.quantity), right: true },
  { title: 'Gross', text: (sale) => formatUsd(sale.gross_proceeds_usd), right: true, optional: true },
  { title: 'Net', text: (sale) => formatUsd(sale.net_proceeds_usd), right: true },
  {
    title: 'Profit',
    text: (sale) => formatUsdChange(sale.profit_loss_usd),
    sign: (sale) => sale.profit_loss_usd ?? 0,
    right: true,
  },
  { title: 'ROI', text: (sale) => formatPercent(sale.roi_pct), right: true },
]
