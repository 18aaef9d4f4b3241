import type { Command } from 'commander'
import type { Schemas } from '../../brickmark.ts'
import { fields } from '../fields.generated.ts'
import { formatUsdChange, formatNumber, formatUsd } from '../format.ts'
import { examples, addOutputOptions, type DataOptions, type CliContext } from '../context.ts'
import { table, type Column } from '../table.ts'

type Options = DataOptions & { byMonth?: boolean }

export function addPortfolio(program: Command, { terminal, runQuery }: CliContext): void {
  addOutputOptions(program.command('portfolio').description('your collections and their value (1 credit)'))
    .option('--by-month', 'group by purchase month')
    .addHelpText('after', examples('brickmark portfolio', 'brickmark portfolio --by-month --csv'))
    .action((options: Options) =>
      runQuery(options, {
        cost: { credits: 1 },
        fields: options.byMonth ? fields.MonthlyPeriod : fields.BrickfolioSummary,
        async ask(brickmark) {
          const { data, meta } = await brickmark.listBrickfolios()
          const { rateLimit } = meta
          if (options.byMonth) {
            return {
              rows: data.monthly_periods,
              renderText: () => table(terminal, data.monthly_periods, months),
              rateLimit,
            }
          }
          return { rows: data.brickfolios, renderText: () => table(terminal, data.brickfolios, collections), rateLimit }
        },
      }),
    )
}

const collections: Column<Schemas['BrickfolioSummary']>[] = [
  { title: 'ID', text: ({ id }) => String(id), right: true },
  { title: 'Collection', text: ({ name, is_default }) => (is_default ? `${name} (default)` : name), shrink: true },
  { title: 'Sets', text: ({ owned_set_count }) => formatNumber(owned_set_count), right: true },
  { title: 'Units', text: ({ owned_item_count }) => formatNumber(owned_item_count), right: true },
  { title: 'Cost basis', text: ({ total_cost_basis_usd }) => formatUsd(total_cost_basis_usd), right: true },
  { title: 'Value', text: ({ total_current_value_usd }) => formatUsd(total_current_value_usd), right: true },
  {
    title: 'Gain',
    text: ({ unrealized_gain_loss_usd }) => formatUsdChange(unrealized_gain_loss_usd),
    sign: ({ unrealized_gain_loss_usd }) => unrealized_gain_loss_usd,
    right: true,
  },
]

const months: Column<Schemas['MonthlyPeriod']>[] = [
  { title: 'Month', text: ({ month }) => month },
  { title: 'Lots', text: ({ entry_count }) => formatNumber(entry_count), right: true },
  { title: 'Units', text: ({ items }) => formatNumber(items), right: true },
  { title: 'Cost basis', text: ({ cost_basis_usd }) => formatUsd(cost_basis_usd), right: true },
]
