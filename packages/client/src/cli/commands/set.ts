import type { Command } from 'commander'
import type { Schemas } from '../../brickmark.ts'
import { fields } from '../fields.generated.ts'
import { formatAge, formatCount, formatRange, formatTimestamp, formatUsd } from '../format.ts'
import { examples, addOutputOptions, type DataOptions, type CliContext } from '../context.ts'
import { keyValueLines } from '../table.ts'
import type { Terminal } from '../terminal.ts'

export function addSet(program: Command, cliContext: CliContext): void {
  addOutputOptions(program.command('set').description('look up a set and its value (1 credit)'))
    .argument('<number>', 'set number, e.g. 90000 or 90000-1')
    .addHelpText(
      'after',
      examples(
        'brickmark set 90000-1',
        'brickmark set 90000 --json',
        'brickmark set 90000 --csv --fields set_number,new_value_usd',
      ),
    )
    .action((number: string, options: DataOptions) =>
      cliContext.runQuery(options, {
        cost: { credits: 1 },
        fields: fields.Set,
        async ask(brickmark) {
          const { data, meta } = await brickmark.getSet(number)
          return {
            rows: [data],
            data,
            renderText: () => renderSet(cliContext.terminal, data),
            rateLimit: meta.rateLimit,
          }
        },
      }),
    )
}

const STATUS: Record<number, string> = {
  1: 'upcoming',
  2: 'available',
  3: 'retiring soon',
  4: 'retired',
  5: 'status unknown',
}

function renderSet(terminal: Terminal, set: Schemas['Set']): string[] {
  const { value_range: range } = set
  const status = STATUS[set.status_id] ?? `status ${set.status_id}`
  const summary = [
    [set.theme, set.subtheme].filter(Boolean).join(' › '),
    formatCount(set.pieces, 'piece'),
    formatCount(set.minifigs_count, 'minifig'),
    set.retire_date === null ? status : `${status} ${set.retire_date}`,
  ]
  return [
    terminal.style('bold', `${set.set_number}  ${set.title}`),
    summary.join(' · '),
    '',
    ...keyValueLines(terminal, [
      ['Sealed', `${formatUsd(set.new_value_usd)}${vsRetailPrice(set)}`],
      ['Likely range', formatRange(range)],
      ['Confidence', set.data_tier],
      ['Used', formatUsd(set.used_value_usd)],
      ['Retail price', formatUsd(set.msrp_usd)],
      ...set.retailers.map((retailer): [string, string] => [retailer.retailer_name, offer(retailer)]),
      ['Barcodes', [set.barcodes.upc, set.barcodes.ean].filter(Boolean).join(' / ') || '–'],
      ['Minifigs', set.minifigs.join(' ') || '–'],
      ['As of', formatTimestamp(range.calculated_at)],
    ]),
  ]
}

function vsRetailPrice({ new_value_usd, msrp_usd }: Schemas['Set']): string {
  if (new_value_usd === null || !msrp_usd) return ''
  const over = (new_value_usd / msrp_usd - 1) * 100
  return ` (${Math.abs(over).toFixed(1)}% ${over < 0 ? 'under' : 'over'} retail price)`
}

function offer(retailer: Schemas['RetailerSummary']): string {
  const seller = retailer.is_first_party ? 'sold by the retailer' : 'third-party seller'
  const stock = retailer.in_stock ? 'in stock' : 'out of stock'
  return `${formatUsd(retailer.current_price)}, ${stock}, ${seller}, checked ${formatAge(retailer.last_checked_at)} ago`
}
