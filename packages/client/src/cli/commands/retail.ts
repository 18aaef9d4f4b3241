import type { Command } from 'commander'
import type { Schemas } from '../../brickmark.ts'
import { NotFoundError } from '../../errors.ts'
import { UsageError } from '../errors.ts'
import { fields } from '../fields.generated.ts'
import { age, change, count, money } from '../format.ts'
import { examples, withOutput, type AskOptions, type Kit } from '../context.ts'
import { facts } from '../table.ts'
import type { Terminal } from '../terminal.ts'

type Options = AskOptions & { asin?: string; upc?: string }

export function addRetail(program: Command, { terminal, answer }: Kit): void {
  withOutput(program.command('retail').description('what two retailers ask for a set now (1 unit)'))
    .argument('[number]', 'set number')
    .option('--asin <asin>', 'product identifier at retailer A')
    .option('--upc <code>', 'UPC or EAN')
    .addHelpText('after', examples('brickmark retail 90004-1', 'brickmark retail --upc 499010741179'))
    .action(async (number: string | undefined, options: Options) => {
      const { asin, upc } = options
      if ((number ?? asin ?? upc) === undefined) throw new UsageError('Give a set number, --asin or --upc.')
      await answer(options, {
        price: { units: 1 },
        fields: fields.RetailWatchRow,
        async ask(brickmark) {
          const { data, meta } = await brickmark.findRetailPrices({
            ...(number !== undefined && { set: number }),
            ...(asin !== undefined && { asin }),
            ...(upc !== undefined && { upc }),
          })
          if (data === null) throw new NotFoundError('NotFound', 'No retailer is known to sell that.')
          return { rows: [data], data, lines: () => card(terminal, data), rateLimit: meta.rateLimit }
        },
      })
    })
}

function card(terminal: Terminal, row: Schemas['RetailWatchRow']): string[] {
  const exit = row.retailer_aExit
  return [
    terminal.paint('bold', `${row.setNumber}  ${row.name}`),
    `ASIN ${row.asin} · UPC ${row.upc}`,
    '',
    ...facts(terminal, [
      ['Retailer A', offer(row.retailer_a)],
      ['Retailer B', offer(row.retailer_b)],
      ['Sell at A', exit.netFba === null ? '–' : `${money(exit.netFba)} after fees; ${rivals(exit)}`],
      ['You paid', money(row.paid)],
    ]),
  ]
}

function rivals({ fbaSellers, lowestFba }: Schemas['RetailExit']): string {
  return `${count(fbaSellers)} sellers, the lowest at ${money(lowestFba)}`
}

function offer(block: Schemas['PriceBlock']): string {
  if (block.price === null && block.inStock === null) return 'never seen'
  if (block.price === null) return `not in stock, lowest ever ${money(block.lowest)}`
  const seller = block.sellerType === 'retailer' ? 'sold by the retailer' : 'third-party seller'
  const parts = [money(block.price), seller]
  if (block.lastChange !== null) parts.push(`${change(block.lastChange)} ${age(block.changedAt)} ago`)
  parts.push(block.atLowest ? 'the lowest ever' : `lowest ever ${money(block.lowest)}`)
  return parts.join(', ')
}
