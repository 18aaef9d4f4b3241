import { readFileSync } from 'node:fs'
import { Option, type Command } from 'commander'
import { batchCost, type BatchData, type BatchItems } from '../../batch.ts'
import type { Brickmark } from '../../brickmark.ts'
import { QuotaExceededError, type RateLimit } from '../../errors.ts'
import { UsageError } from '../errors.ts'
import { formatNumber, formatUsd, formatCredits } from '../format.ts'
import { examples, addOutputOptions, type DataOptions, type CliContext } from '../context.ts'
import { table, type Column } from '../table.ts'

type Options = DataOptions & { as?: 'sets' | 'minifigs' }

/** From this size on, suggest `entries`, which is far cheaper for sets the user owns. */
const LARGE_BATCH = 20

export function addBatch(program: Command, { terminal, runQuery }: CliContext): void {
  addOutputOptions(program.command('batch').description('look up many sets and minifigs at once (1 credit each)'))
    .argument('[file]', 'file of numbers separated by spaces, commas or newlines (default: stdin)')
    .addOption(
      new Option('--as <kind>', 'treat numbers as sets or minifigs (default: auto-detect)').choices([
        'sets',
        'minifigs',
      ]),
    )
    .addHelpText(
      'after',
      examples('brickmark batch numbers.txt --csv', 'echo 90000-1 90001-1 hbr001 | brickmark batch --dry-run') +
        '\n\nTip: to value your own collection, `brickmark entries` costs 1 credit per 250 lots.',
    )
    .action((file: string | undefined, options: Options) => {
      const items = splitByKind(readNumbers(file), options.as)
      const cost = batchCost(items)
      if (cost >= LARGE_BATCH)
        terminal.info(
          `${formatCredits(cost)}. If you own these sets, \`brickmark entries\` is cheaper (1 credit per 250 lots).`,
        )
      return runQuery(options, {
        cost: { credits: cost },
        fields: FIELDS,
        async ask(brickmark) {
          await requireCredits(brickmark, cost)
          const rows: Row[] = []
          const data: Pick<BatchData, 'sets' | 'minifigs'> = { sets: [], minifigs: [] }
          let rateLimit: RateLimit | undefined
          for await (const part of brickmark.getBatches(items)) {
            data.sets.push(...part.data.sets)
            data.minifigs.push(...part.data.minifigs)
            rows.push(...toRows(part.data))
            rateLimit = part.meta.rateLimit
            terminal.progress(`${formatNumber(rows.length)} of ${formatNumber(cost)}`)
          }
          const missing = rows.filter((row) => !row.found).map((row) => row.number)
          if (missing.length > 0) terminal.info(`Not found: ${missing.join(', ')}.`)
          return { rows, data, renderText: () => table(terminal, rows, columns), rateLimit }
        },
      })
    })
}

function readNumbers(file: string | undefined): string[] {
  if (file === undefined && process.stdin.isTTY) {
    throw new UsageError('Pass a file or pipe numbers in, e.g. echo 90000-1 | brickmark batch')
  }
  const text = readFileSync(file === undefined || file === '-' ? 0 : file, 'utf8')
  const numbers = text.split(/[\s,;]+/).filter(Boolean)
  if (numbers.length === 0) throw new UsageError('No numbers found in the input.')
  return numbers
}

function splitByKind(numbers: string[], kind: Options['as']): Required<BatchItems> {
  const isMinifig = (number: string) =>
    kind === undefined ? /^([a-z]+\d+[a-z]*|fig-\d+)$/i.test(number) : kind === 'minifigs'
  return { sets: numbers.filter((number) => !isMinifig(number)), minifigs: numbers.filter(isMinifig) }
}

/** Checks the quota for the whole batch up front, because the API checks and charges each chunk of 100 separately. */
async function requireCredits(brickmark: Brickmark, cost: number): Promise<void> {
  const rateLimit = await brickmark.getRateLimit()
  if (cost <= rateLimit.remaining) return
  const message = `This needs ${formatCredits(cost)}, but you have only ${formatNumber(rateLimit.remaining)} remaining. No credits were used.`
  throw new QuotaExceededError('QuotaExceeded', message, { rateLimit })
}

const FIELDS = ['kind', 'number', 'found', 'name', 'value_usd', 'used_value_usd', 'range_low', 'range_high'] as const
type Row = Record<(typeof FIELDS)[number], string | number | boolean | null>

/** Sets and minifigs in one table: `value_usd` is the sealed value of a set, and the value of a minifig. */
function toRows({ sets, minifigs }: BatchData): Row[] {
  const unknown = { found: false, name: null, value_usd: null, used_value_usd: null, range_low: null, range_high: null }
  return [
    ...sets.map((set) => {
      const head = { kind: 'set', number: set.set_number }
      if (!set.found) return { ...head, ...unknown }
      const { low, high } = set.value_range
      const values = { value_usd: set.new_value_usd, used_value_usd: set.used_value_usd }
      return { ...head, found: true, name: set.title, ...values, range_low: low, range_high: high }
    }),
    ...minifigs.map((minifig) => {
      const head = { kind: 'minifig', number: minifig.minifig_number }
      if (!minifig.found) return { ...head, ...unknown }
      const { low, high } = minifig.value_range
      const values = { value_usd: minifig.current_value_usd, used_value_usd: null }
      return { ...head, found: true, name: minifig.name, ...values, range_low: low, range_high: high }
    }),
  ]
}

const columns: Column<Row>[] = [
  { title: 'Number', text: (row) => String(row.number) },
  { title: 'Name', text: (row) => String(row.name ?? '(not found)'), shrink: true },
  { title: 'Value', text: (row) => formatUsd(row.value_usd as number | null), right: true },
  { title: 'Used', text: (row) => formatUsd(row.used_value_usd as number | null), right: true },
  { title: 'Low', text: (row) => formatUsd(row.range_low as number | null), right: true },
  { title: 'High', text: (row) => formatUsd(row.range_high as number | null), right: true },
]
