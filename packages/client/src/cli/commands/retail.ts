import type { Command } from 'commander'
import type { Schemas } from '../../brickmark.ts'
import { NotFoundError } from '../../errors.ts'
import { UsageError } from '../errors.ts'
import { fields } from '../fields.generated.ts'
import { formatAge, formatUsdChange, formatNumber, formatUsd } from '../format.ts'
import { examples, addOutputOptions, type DataOptions, type CliContext } from '../context.ts'
import { keyValueLines } from '../table.ts'
import type { Terminal } from '../terminal.ts'

type Options = DataOptions & { asin?: string; upc?: string }

export function addRetail(program: Command, { terminal, runQuery }: CliContext): void {
  addOutputOptions(program.command('retail').description('what two retailers ask for a set now (1 unit)'))
    .argument('[number]', 'set number')
    .option('--asin <asin>', 'product identifier at retailer A')
    .option('--upc <code>', 'UPC or EAN')
    .addHelpText('after', examples('brickmark retail 90004-1', 'brickmark retail --upc 499010741179'))
    .action(async (number: string | undefined, options: Options) => {
      const { asin, upc } = options
      if ((number ?? asin ?? upc) === undefined) throw new UsageError('Give a set number, --asin or --upc.')
      await runQuery(options, {
        cost: { units: 1 },
        fields: fields.RetailWatchRow,
        async ask(brickmark) {
          const { data, meta } = await brickmark.findRetailPrices({
            ...(number !== undefined && { set: number }),
            ...(asin !== undefined && { asin }),
            ...(upc !== undefined && { upc }),
          })
          if (data === null) throw new NotFoundError('NotFound', 'No retailer is known to sell that.')
          return { rows: [data], data, renderText: () => renderRetail(terminal, data), rateLimit: meta.rateLimit }
        },
      })
    })
}

function renderRetail(terminal: Terminal, row: Schemas['RetailWatchRow']): string[] {
  const resale = row.retailer_aExit
  return [
    terminal.style('bold', `${row.setNumber}  ${row.name}`),
    `ASIN ${row.asin ?? '–'} · UPC ${row.upc ?? '–'}`,
    '',
    ...keyValueLines(terminal, [
      ['Retailer A', offer(row.retailer_a)],
      ['Retailer B', offer(row.retailer_b)],
      [
        'Sell at A',
        resale.netFba === undefined ? '–' : `${formatUsd(resale.netFba)} after fees; ${describeCompetition(resale)}`,
      ],
      ['You paid', formatUsd(row.paid)],
    ]),
  ]
}

function describeCompetition({ fbaSellers, lowestFba }: Schemas['RetailExit']): string {
  return `${formatNumber(fbaSellers)} sellers, the lowest at ${formatUsd(lowestFba)}`
}

function offer(block: Schemas['PriceBlock']): string {
  if (block.price === null && block.inStock === null) return 'never seen'
  if (block.price === null) return `not in stock, lowest ever ${formatUsd(block.lowest)}`
  const seller = block.sellerType === 'retailer' ? 'sold by the retailer' : 'third-party seller'
  const parts = [formatUsd(block.price), seller]
  if (block.lastChange !== null) parts.push(`${formatUsdChange(block.lastChange)} ${formatAge(block.changedAt)} ago`)
  parts.push(block.atLowest ? 'the lowest ever' : `lowest ever ${formatUsd(block.lowest)}`)
  return parts.join(', ')
}
