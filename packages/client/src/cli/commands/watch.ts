import type { Command } from 'commander'
import type { Schemas } from '../../brickmark.ts'
import { fields } from '../fields.generated.ts'
import { age, change, money } from '../format.ts'
import { examples, withOutput, type AskOptions, type Kit } from '../context.ts'
import { readRows } from '../list-command.ts'
import type { Column } from '../table.ts'

type Options = AskOptions & { changedWithin?: string; since?: string; asin?: string; upc?: string }

export function addWatch(program: Command, { terminal, answer }: Kit): void {
  withOutput(program.command('watch').description('retailer prices of the sets you hold (1 unit, however many)'))
    .option('--changed-within <time>', 'only what changed within it, like 30m, 3h, 24h, 7d')
    .option('--since <time>', 'only what changed since, like 2026-11-14T00:00:00Z')
    .option('--asin <list>', 'only these, apart by commas')
    .option('--upc <list>', 'only these UPCs or EANs, apart by commas')
    .addHelpText(
      'after',
      examples('brickmark watch --changed-within 24h', 'brickmark watch --changed-within 7d --json | head'),
    )
    .action((options: Options) => {
      const { changedWithin: changed_within, since, asin, upc } = options
      return answer(options, {
        price: { units: 1 },
        fields: fields.RetailWatchRow,
        ask: (brickmark) =>
          readRows(
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
type Block = Schemas['PriceBlock']

const columns: Column<Row>[] = [
  { title: 'Set', text: (row) => row.setNumber },
  { title: 'Name', text: (row) => row.name, shrink: true },
  { title: 'Paid', text: (row) => money(row.paid), right: true },
  ...retailerColumns('A', (row) => row.retailer_a),
  ...retailerColumns('B', (row) => row.retailer_b),
  { title: 'Net at A', text: (row) => money(row.retailer_aExit.netFba), right: true, spare: true },
]

function retailerColumns(name: string, block: (row: Row) => Block): Column<Row>[] {
  return [
    { title: name, text: (row) => money(block(row).price), right: true },
    {
      title: 'Change',
      text: (row) => (block(row).lastChange === null ? '' : `${change(block(row).lastChange)} ${marks(block(row))}`),
      sign: (row) => -(block(row).lastChange ?? 0),
    },
    {
      title: 'Ago',
      text: (row) => (block(row).changedAt === null ? '' : age(block(row).changedAt)),
      right: true,
      spare: true,
    },
  ]
}

function marks({ atLowest, flip1pTo3p }: Block): string {
  return [atLowest && 'lowest', flip1pTo3p && '1P→3P'].filter(Boolean).join(' ')
}
