import { InvalidArgumentError, type Command } from 'commander'
import type { Brickmark, Schemas } from '../../brickmark.ts'
import { fields } from '../fields.generated.ts'
import { formatUsdChange, formatNumber, formatUsd, formatPercent } from '../format.ts'
import { examples, positiveInt, addOutputOptions, type DataOptions, type CliContext } from '../context.ts'
import { runListQuery } from '../list-command.ts'
import type { Column } from '../table.ts'

type Options = DataOptions & { from?: string; to?: string; set?: string; max?: number }

export function addSales(program: Command, { terminal, runQuery }: CliContext): void {
  addOutputOptions(program.command('sales').description('your sales, newest first (1 credit per 250)'))
    .option('--from <date>', 'only sales since this day, e.g. 2026-01-01', parseDate)
    .option('--to <date>', 'only sales until this day', parseDate)
    .option('--set <number>', 'only sales of this set')
    .option('--max <number>', 'maximum number of results', positiveInt)
    .addHelpText(
      'after',
      examples('brickmark sales --max 10', 'brickmark sales --from 2026-01-01 --to 2026-03-31 --csv > quarter.csv'),
    )
    .action((options: Options) =>
      runQuery(options, {
        cost: { perPageOf: 'sales', max: options.max },
        fields: fields.Sale,
        ask: (brickmark) => runListQuery(terminal, findSales(brickmark, options), columns, options.max),
      }),
    )
}

/** Without filters, every version of the API can answer. */
function findSales(brickmark: Brickmark, { from, to, set }: Options) {
  if (from === undefined && to === undefined && set === undefined) return brickmark.listSales()
  return brickmark.findSales({
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(set !== undefined && { set_number: set }),
  })
}

function parseDate(text: string): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || Number.isNaN(Date.parse(text)))
    throw new InvalidArgumentError('It must be a date like 2026-01-31.')
  return text
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
