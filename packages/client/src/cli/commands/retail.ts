import type { Command } from 'commander'
import type { Schemas } from '../../brickmark.ts'
import { NotFoundError } from '../../errors.ts'
import { UsageError } from '../errors.ts'
import { fields } from '../fields.generated.ts'
import { formatAge, formatUsdChange, formatCount, formatUsd } from '../format.ts'
import { examples, addOutputOptions, type DataOptions, type CliContext } from '../context.ts'
import { keyValueLines } from '../table.ts'
import type { Terminal } from '../terminal.ts'

type Options = DataOptions & { asin?: string; upc?: string }

export function addRetail(program: Command, { terminal, runQuery }: CliContext): void {
  addOutputOptions(program.command('retail').description('live retailer prices for a set (1 credit)'))
    .argument('[number]', 'set number, e.g. 90000 or 90000-1')
    .option('--asin <asin>', 'look up by ASIN')
    .option('--upc <code>', 'look up by UPC or EAN')
    .addHelpText('after', examples('brickmark retail 90004-1', 'brickmark retail --upc 499010741179'))
    .action(async (number: string | undefined, options: Options) => {
      const { asin, upc } = options
      if ((number ?? asin ?? upc) === undefined) throw new UsageError('Pass a set number, --asin or --upc.')
      await runQuery(options, {
        cost: { credits: 1 },
        fields: fields.RetailWatchRow,
        async ask(brickmark) {
          const { data, meta } = await brickmark.findRetailPrices({
            ...(number !== undefined && { set: number }),
            ...(asin !== undefined && { asin }),
            ...(upc !== undefined && { upc }),
          })
          if (data === null) throw new NotFoundError('NotFound', 'No retailer prices found.')
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
        'Net at A',
        resale.netFba === undefined ? '–' : `${formatUsd(resale.netFba)} net of fees; ${describeCompetition(resale)}`,
      ],
      ['You paid', formatUsd(row.paid)],
    ]),
  ]
}

function describeCompetition({ fbaSellers, lowestFba }: Schemas['RetailExit']): string {
  return `${formatCount(fbaSellers, 'seller')}, lowest at ${formatUsd(lowestFba)}`
}

function offer(block: Schemas['PriceBlock']): string {
  if (block.price === null && block.inStock === null) return 'not listed'
  if (block.price === null) return `out of stock, lowest seen ${formatUsd(block.lowest)}`
  const seller = block.sellerType === 'retailer' ? 'sold by the retailer' : 'third-party seller'
  const parts = [formatUsd(block.price), seller]
  if (block.lastChange !== null) parts.push(`${formatUsdChange(block.lastChange)} ${formatAge(block.changedAt)} ago`)
  parts.push(block.atLowest ? 'lowest seen' : `lowest seen ${formatUsd(block.lowest)}`)
  return parts.join(', ')
}
