import { setTimeout as sleep } from 'node:timers/promises'
import { InvalidArgumentError, Option, type Command } from 'commander'
import { Brickmark, type Schemas } from '../../brickmark.ts'
import { BrickmarkError, QuotaExceededError } from '../../errors.ts'
import { csvLine } from '../csv.ts'
import { formatError } from '../errors.ts'
import { fields } from '../fields.generated.ts'
import { formatAge, formatCredits, formatUsdChange, formatUsd } from '../format.ts'
import { examples, addOutputOptions, type DataOptions, type CliContext } from '../context.ts'
import { runListQuery } from '../list-command.ts'
import { parseFields, valueAt } from '../output.ts'
import type { Column } from '../table.ts'

type Options = DataOptions & {
  changedWithin?: string
  since?: string
  asin?: string
  upc?: string
  follow?: boolean
  every: number
}

const DEFAULT_INTERVAL_S = 15 * 60
const MIN_INTERVAL_S = 10

export function addWatch(program: Command, cliContext: CliContext): void {
  const { terminal, runQuery } = cliContext
  addOutputOptions(program.command('watch').description('live retailer prices for the sets you own (1 credit)'))
    .option('--changed-within <time>', 'only prices that changed within this window, e.g. 30m, 24h, 7d')
    .option('--since <time>', 'only prices that changed since this time, e.g. 2026-11-14T00:00:00Z')
    .option('--asin <list>', 'comma-separated ASINs')
    .option('--upc <list>', 'comma-separated UPCs or EANs')
    .option('--follow', 'keep running, and print each change as it comes')
    .addOption(
      new Option('--every <time>', 'how often --follow asks, for 1 credit each, e.g. 30s, 5m, 1h')
        .argParser(parseInterval)
        .default(DEFAULT_INTERVAL_S, '15m'),
    )
    .addHelpText(
      'after',
      examples(
        'brickmark watch --changed-within 24h',
        'brickmark watch --changed-within 7d --json | head',
        'brickmark watch --follow --every 5m',
      ),
    )
    .action((options: Options) => {
      if (options.follow) return follow(cliContext, options)
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

function parseInterval(text: string): number {
  const [, number, unit] = /^(\d{1,5})([smh])$/.exec(text) ?? []
  const seconds = Number(number) * { s: 1, m: 60, h: 3600 }[unit as 's' | 'm' | 'h']
  if (!(seconds >= MIN_INTERVAL_S)) throw new InvalidArgumentError('It must be like 30s, 5m or 1h, and at least 10s.')
  return seconds
}

/**
 * Prints changes as they come, until interrupted. A change is served some time after it happened, so each request asks for
 * the last day, and what was seen before isn't printed again. Goes on if the network fails, but not without credits.
 */
async function follow({ terminal, settings }: CliContext, options: Options): Promise<void> {
  const { changedWithin: changed_within = '24h', asin, upc, json, csv, every } = options
  const { apiKey, baseUrl } = settings()
  const brickmark = new Brickmark({ apiKey, baseUrl })
  const filter = { changed_within, ...(asin !== undefined && { asin }), ...(upc !== undefined && { upc }) }
  const perDay = formatCredits(Math.ceil((24 * 3600) / every))
  terminal.info(`Waiting for changes of the sets you own, for ${perDay} a day. Press Ctrl-C to end.`)
  const chosen = parseFields(options.fields, fields.RetailWatchRow) ?? fields.RetailWatchRow
  if (csv) terminal.out(csvLine([...chosen]))
  let seen: Set<string> | undefined
  for (;;) {
    try {
      const rows = await brickmark.watchRetailPrices(filter).toArray()
      const changes = rows.filter((row) => seen && changesOf(row).some((change) => !seen!.has(change)))
      for (const row of changes) {
        if (json) terminal.out(JSON.stringify(row))
        else if (csv) terminal.out(csvLine(chosen.map((name) => valueAt(row, name))))
        else terminal.out(describeChange(row))
      }
      seen = new Set(rows.flatMap(changesOf))
    } catch (error) {
      if (!(error instanceof BrickmarkError) || !error.isRetryable || error instanceof QuotaExceededError) throw error
      terminal.info(formatError(error))
    }
    await sleep(every * 1000)
  }
}

/** Identifies the latest change at each retailer. */
function changesOf(row: Row): string[] {
  return [row.retailer_a.changedAt, row.retailer_b.changedAt].map(
    (instant, index) => `${row.setNumber} ${index} ${instant}`,
  )
}

function describeChange(row: Row): string {
  const offers = [row.retailer_a, row.retailer_b].map((block, index) => {
    const change =
      block.lastChange === null ? '' : ` (${formatUsdChange(block.lastChange)} ${formatAge(block.changedAt)} ago)`
    return `${index === 0 ? 'A' : 'B'} ${formatUsd(block.price)}${change}`
  })
  return [row.setNumber, row.name, ...offers].join('  ')
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
