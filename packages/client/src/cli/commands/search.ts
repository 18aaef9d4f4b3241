import type { Command } from 'commander'
import type { Schemas } from '../../brickmark.ts'
import { fields } from '../fields.generated.ts'
import { formatNumber, textOrDash } from '../format.ts'
import { examples, positiveInt, addOutputOptions, type DataOptions, type CliContext } from '../context.ts'
import { runListQuery } from '../list-command.ts'
import type { Column } from '../table.ts'

type Options = DataOptions & { minifigs?: boolean; max: number }

export function addSearch(program: Command, { terminal, runQuery }: CliContext): void {
  addOutputOptions(
    program.command('search').description('search sets or minifigs by number or name (1 credit per 250)'),
  )
    .argument('<words...>', 'words to search for')
    .option('--minifigs', 'search minifigs instead of sets')
    .option('--max <number>', 'maximum number of results', positiveInt, 25)
    .addHelpText(
      'after',
      examples('brickmark search lighthouse', 'brickmark search fish stall', 'brickmark search keeper --minifigs'),
    )
    .action((given: string[], options: Options) => {
      const q = given.join(' ')
      const { max } = options
      return runQuery(options, {
        cost: { perPageOf: 'results', max },
        fields: options.minifigs ? fields.MinifigSearchResult : fields.SetSearchResult,
        ask: (brickmark) =>
          options.minifigs
            ? runListQuery(terminal, brickmark.searchMinifigs(q), minifigColumns, max)
            : runListQuery(terminal, brickmark.searchSets(q), setColumns, max),
      })
    })
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
