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
  addOutputOptions(program.command('batch').description('values of many sets and minifigs (1 unit for each)'))
    .argument('[file]', 'where the numbers stand, apart by spaces, commas or lines; without it, standard input')
    .addOption(
      new Option('--as <kind>', 'what the numbers are; by default letters and then digits are a minifig').choices([
        'sets',
        'minifigs',
      ]),
    )
    .addHelpText(
      'after',
      examples('brickmark batch numbers.txt --csv', 'echo 90000-1 90001-1 hbr001 | brickmark batch --dry-run') +
        '\n\nTo value what you hold, `brickmark entries` costs 1 unit for each 250 holdings.',
    )
    .action((file: string | undefined, options: Options) => {
      const items = splitByKind(readNumbers(file), options.as)
      const price = batchCost(items)
      if (price >= LARGE_BATCH)
        terminal.info(`${formatCredits(price)}. If you hold these, \`brickmark entries\` costs 1 for each 250.`)
      return runQuery(options, {
        cost: { units: price },
        fields: FIELDS,
        async ask(brickmark) {
          await requireCredits(brickmark, price)
          const rows: Row[] = []
          const data: Pick<BatchData, 'sets' | 'minifigs'> = { sets: [], minifigs: [] }
          let rateLimit: RateLimit | undefined
          for await (const part of brickmark.getBatches(items)) {
            data.sets.push(...part.data.sets)
            data.minifigs.push(...part.data.minifigs)
            rows.push(...toRows(part.data))
            rateLimit = part.meta.rateLimit
            terminal.progress(`${formatNumber(rows.length)} of ${formatNumber(price)}`)
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
    throw new UsageError('Name a file with numbers, or pipe them in: echo 90000-1 | brickmark batch')
  }
  const text = readFileSync(file === undefined || file === '-' ? 0 : file, 'utf8')
  const numbers = text.split(/[\s,;]+/).filter(Boolean)
  if (numbers.length === 0) throw new UsageError('There is no number in it.')
  return numbers
}

function splitByKind(numbers: string[], kind: Options['as']): Required<BatchItems> {
  const isMinifig = (number: string) => (kind === undefined ? /^[a-z]+\d+[a-z]*$/i.test(number) : kind === 'minifigs')
  return { sets: numbers.filter((number) => !isMinifig(number)), minifigs: numbers.filter(isMinifig) }
}

/** Checks the quota for the whole batch up front, because the API checks and charges each chunk of 100 separately. */
async function requireCredits(brickmark: Brickmark, price: number): Promise<void> {
  const rateLimit = await brickmark.getRateLimit()
  if (price <= rateLimit.remaining) return
  const message = `This costs ${formatCredits(price)}; ${formatNumber(rateLimit.remaining)} are left. Nothing was asked.`
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
