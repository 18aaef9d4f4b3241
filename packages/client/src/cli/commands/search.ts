import { InvalidArgumentError, Option, type Command } from 'commander'
import type { Brickmark, Schemas } from '../../brickmark.ts'
import { fields } from '../fields.generated.ts'
import { formatNumber, textOrDash } from '../format.ts'
import { examples, positiveInt, addOutputOptions, type DataOptions, type CliContext } from '../context.ts'
import { runListQuery } from '../list-command.ts'
import type { Column } from '../table.ts'

type Years = { year_from: number; year_to: number }
type Options = DataOptions & { minifigs?: boolean; theme?: string; year?: Years; status?: string; max: number }

/** Values of `status_id`, from 1. */
const STATUSES = ['upcoming', 'available', 'retiring-soon', 'retired', 'unknown']

export function addSearch(program: Command, { terminal, runQuery }: CliContext): void {
  addOutputOptions(
    program.command('search').description('search sets or minifigs by number or name (1 credit per 250)'),
  )
    .argument('[words...]', 'words to search for; without them, all sets that the options match')
    .addOption(new Option('--minifigs', 'search minifigs instead of sets').conflicts(['theme', 'year', 'status']))
    .option('--theme <name>', 'only sets of this theme')
    .option('--year <years>', 'only sets released in this year or these years, e.g. 2020-2024', parseYears)
    .addOption(new Option('--status <status>', 'only sets with this status').choices(STATUSES))
    .option('--max <number>', 'maximum number of results', positiveInt, 25)
    .addHelpText(
      'after',
      examples(
        'brickmark search lighthouse',
        'brickmark search fish stall',
        'brickmark search --theme Harbor --year 2020-2024 --status retired',
        'brickmark search keeper --minifigs',
      ),
    )
    .action((given: string[], options: Options, command: Command) => {
      const q = given.join(' ')
      if (q === '' && (options.minifigs || !hasFilter(options)))
        command.error('error: nothing to search for. Pass words, or --theme, --year or --status.')
      const { max } = options
      return runQuery(options, {
        cost: { perPageOf: 'results', max },
        fields: options.minifigs ? fields.MinifigSearchResult : fields.SetSearchResult,
        ask: (brickmark) =>
          options.minifigs
            ? runListQuery(terminal, brickmark.searchMinifigs(q), minifigColumns, max)
            : runListQuery(terminal, findSets(brickmark, q, options), setColumns, max),
      })
    })
}

/** Without filters, every version of the API can answer. */
function findSets(brickmark: Brickmark, q: string, options: Options) {
  const { theme, year, status } = options
  if (!hasFilter(options)) return brickmark.searchSets(q)
  return brickmark.listSets({
    ...(q !== '' && { q }),
    ...(theme !== undefined && { theme }),
    ...year,
    ...(status !== undefined && { status_id: STATUSES.indexOf(status) + 1 }),
  })
}

function hasFilter({ theme, year, status }: Options): boolean {
  return theme !== undefined || year !== undefined || status !== undefined
}

function parseYears(text: string): Years {
  const [, first, last = first] = /^(\d{4})(?:-(\d{4}))?$/.exec(text) ?? []
  if (first === undefined || Number(first) > Number(last))
    throw new InvalidArgumentError('It must be like 2024 or 2020-2024.')
  return { year_from: Number(first), year_to: Number(last) }
}

const setColumns: Column<Schemas['SetSearchResult']>[] = [
  { title: 'Set', text: (set) => set.set_number },
  { title: 'Title', text: (set) => set.title, shrink: true },
  { title: 'Theme', text: (set) => textOrDash(set.theme) },
  { title: 'Year', text: (set) => String(set.year ?? '–'), right: true },
  { title: 'Pieces', text: (set) => formatNumber(set.pieces), right: true },
  { title: '', text: (set) => (set.retired ? 'retired' : '') },
]

const minifigColumns: Column<Schemas['MinifigSearchResult']>[] = [
  { title: 'Minifig', text: (minifig) => minifig.minifig_number },
  { title: 'Name', text: (minifig) => minifig.name, shrink: true },
  { title: 'Category', text: (minifig) => textOrDash(minifig.category) },
  { title: 'Year', text: (minifig) => String(minifig.year_released ?? '–'), right: true },
]
