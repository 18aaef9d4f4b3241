import type { Command } from 'commander'
import type { Schemas } from '../../brickmark.ts'
import { fields } from '../fields.generated.ts'
import { age, count, instant, money } from '../format.ts'
import { examples, withOutput, type AskOptions, type Kit } from '../context.ts'
import { facts } from '../table.ts'
import type { Terminal } from '../terminal.ts'

export function addSet(program: Command, kit: Kit): void {
  withOutput(program.command('set').description('a set with its values (1 unit)'))
    .argument('<number>', 'set number, with or without the variant')
    .addHelpText(
      'after',
      examples(
        'brickmark set 90000-1',
        'brickmark set 90000 --json',
        'brickmark set 90000 --csv --fields set_number,new_value_usd',
      ),
    )
    .action((number: string, options: AskOptions) =>
      kit.answer(options, {
        price: { units: 1 },
        fields: fields.Set,
        async ask(brickmark) {
          const { data, meta } = await brickmark.getSet(number)
          return { rows: [data], data, lines: () => card(kit.terminal, data), rateLimit: meta.rateLimit }
        },
      }),
    )
}

const STATUS: Record<number, string> = { 1: 'upcoming', 2: 'available', 3: 'retiring soon', 4: 'retired' }

function card(terminal: Terminal, set: Schemas['Set']): string[] {
  const { value_range: range } = set
  const status = STATUS[set.status_id] ?? `status ${set.status_id}`
  const about = [
    [set.theme, set.subtheme].filter(Boolean).join(' › '),
    `${count(set.pieces)} pieces`,
    `${count(set.minifigs_count)} minifigs`,
    set.retire_date === null ? status : `${status} ${set.retire_date}`,
  ]
  return [
    terminal.paint('bold', `${set.set_number}  ${set.title}`),
    about.join(' · '),
    '',
    ...facts(terminal, [
      ['Sealed', `${money(set.new_value_usd)}${overList(set)}`],
      ['Next sale', `80 % between ${money(range.low)} and ${money(range.high)} (${set.data_tier})`],
      ['Used', money(set.used_value_usd)],
      ['List price', money(set.msrp_usd)],
      ...set.retailers.map((retailer): [string, string] => [retailer.retailer_name, offer(retailer)]),
      ['Barcodes', [set.barcodes.upc, set.barcodes.ean].filter(Boolean).join(' / ') || '–'],
      ['Minifigs', set.minifigs.join(' ') || '–'],
      ['As of', instant(range.calculated_at)],
    ]),
  ]
}

function overList({ new_value_usd, msrp_usd }: Schemas['Set']): string {
  if (new_value_usd === null || !msrp_usd) return ''
  const over = (new_value_usd / msrp_usd - 1) * 100
  return ` (${Math.abs(over).toFixed(1)} % ${over < 0 ? 'under' : 'over'} list price)`
}

function offer(retailer: Schemas['RetailerSummary']): string {
  const seller = retailer.is_first_party ? 'sold by the retailer' : 'third-party seller'
  const stock = retailer.in_stock ? 'in stock' : 'not in stock'
  return `${money(retailer.current_price)}, ${stock}, ${seller}, checked ${age(retailer.last_checked_at)} ago`
}
