import type { Command } from 'commander'
import type { Schemas } from '../../brickmark.ts'
import { fields } from '../fields.generated.ts'
import { formatAge, formatUsdChange, formatUsd } from '../format.ts'
import { examples, addOutputOptions, type DataOptions, type CliContext } from '../context.ts'
import { runListQuery } from '../list-command.ts'
import type { Column } from '../table.ts'

type Options = DataOptions & { changedWithin?: string; since?: string; asin?: string; upc?: string }

export function addWatch(program: Command, { terminal, runQuery }: CliContext): void {
  addOutputOptions(program.command('watch').description('live retailer prices for the sets you own (1 credit)'))
    .option('--changed-within <time>', 'only prices that changed within this window, e.g. 30m, 24h, 7d')
    .option('--since <time>', 'only prices that changed since this time, e.g. 2026-11-14T00:00:00Z')
    .option('--asin <list>', 'comma-separated ASINs')
    .option('--upc <list>', 'comma-separated UPCs or EANs')
    .addHelpText(
      'after',
      examples('brickmark watch --changed-within 24h', 'brickmark watch --changed-within 7d --json | head'),
    )
    .action((options: Options) => {
      const { changedWithin: changed_within, since, asin, upc } = options
      return runQuery(options, {
        cost: { credits: 1 },
        fields: fields.RetailWatchRow,
        ask: (brickmark) =>
          runListQuery(
            terminal,
            brickmark.watchRetailPrices({
              ...(changed_within !== undefined && { changed_within }),
              ...(since !== undefined && { since }),
              ...(asin !== undefined && { asin }),
              ...(upc !== undefined && { upc }),
            }),
            columns,
          ),
      })
    })
}

type Row = Schemas['RetailWatchRow']
type PriceCell = Schemas['PriceBlock']

const columns: Column<Row>[] = [
  { title: 'Set', text: (row) => row.setNumber },
  { title: 'Name', text: (row) => row.name, shrink: true },
  { title: 'Paid', text: (row) => formatUsd(row.paid), right: true },
  ...retailerColumns('A', (row) => row.retailer_a),
  ...retailerColumns('B', (row) => row.retailer_b),
  { title: 'Net at A', text: (row) => formatUsd(row.retailer_aExit.netFba), right: true, optional: true },
]

function retailerColumns(name: string, block: (row: Row) => PriceCell): Column<Row>[] {
  return [
    { title: name, text: (row) => formatUsd(block(row).price), right: true },
    {
      title: 'Change',
      text: (row) =>
        block(row).lastChange === null ? '' : `${formatUsdChange(block(row).lastChange)} ${priceFlags(block(row))}`,
      sign: (row) => -(block(row).lastChange ?? 0),
    },
    {
      title: 'Ago',
      text: (row) => (block(row).changedAt === null ? '' : formatAge(block(row).changedAt)),
      right: true,
      optional: true,
    },
  ]
}

function priceFlags({ atLowest, flip1pTo3p }: PriceCell): string {
  return [atLowest && 'lowest', flip1pTo3p && '1P→3P'].filter(Boolean).join(' ')
}
