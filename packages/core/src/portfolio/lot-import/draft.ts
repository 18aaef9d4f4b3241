import { formatCsv } from '../../primitives/csv.ts'
import { canIdentifySets, detectFormat, type ColumnMapping, type FormatName, type ImportTable } from './format.ts'
import {
  planImport,
  unansweredQuestions,
  type ImportOptions,
  type ImportPlan,
  type PlannedLot,
  type PlannedRow,
} from './plan.ts'
import { collectLookupKeys, type MatchableSet } from './set-matcher.ts'

/** How a file is read: its format, and the columns of each field. */
type DraftColumns = { format: FormatName; mapping: ColumnMapping; canPlan: boolean }

/** A planned row as the preview shows it. */
export type DraftRow = {
  row: number
  state: PlannedRow['state']
  reason: string | null
  lot: PlannedLot | null
  excerpt: string
}

/** Everything that the preview of a draft shows, except for its rows. */
export type DraftPlan = {
  format: FormatName
  mapping: ColumnMapping
  header: string[]
  /** The first row, as an example for each column. */
  sample: string[]
  openQuestions: string[]
  counts: Record<PlannedRow['state'], number>
  choices: ImportPlan['choices']
  /** Undefined until the columns are enough to identify sets. */
  questions:
    | Pick<ImportPlan, 'ambiguousDate' | 'pricesWithoutCurrency' | 'currencies' | 'missing' | 'invalidDefaults'>
    | undefined
}

export type PlannedDraft = { plan: DraftPlan; rows: DraftRow[]; skippedCsv: string }

const EXCERPT_LENGTH = 120
/** A sample is shown in a list of columns, an ambiguous set in a list of choices. */
const SAMPLE_LENGTH = 100
const MAX_CHOICES = 500

/** Returns the keys that the sets of a file are found by; none while the user has to choose the columns first. */
export function draftLookupKeys(table: ImportTable, options: ImportOptions): ReturnType<typeof collectLookupKeys> {
  const { mapping, canPlan } = readColumns(table, options)
  return canPlan ? collectLookupKeys(table, mapping) : { bases: [], barcodes: [], titles: [] }
}

/** Plans a draft with the options chosen so far. `sets` must contain the sets of its lookup keys. */
export function planDraft(
  table: ImportTable,
  options: ImportOptions,
  sets: MatchableSet[],
  today: string,
): PlannedDraft {
  const { format, mapping, canPlan } = readColumns(table, options)
  const plan = canPlan ? planImport(table, { format, mapping }, options, sets, today) : undefined
  const planned = plan?.rows ?? []
  const countOf = (state: PlannedRow['state']) => planned.filter((row) => row.state === state).length
  return {
    plan: {
      format,
      mapping,
      header: table.header,
      sample: (table.rows[0]?.cells ?? []).map((cell) => cell.slice(0, SAMPLE_LENGTH)),
      openQuestions: plan
        ? unansweredQuestions(plan, options)
        : ['Map the column with the set number, barcode or title.'],
      counts: { ready: countOf('ready'), choice: countOf('choice'), skipped: countOf('skipped') },
      choices: (plan?.choices ?? []).slice(0, MAX_CHOICES),
      questions: plan && {
        ambiguousDate: plan.ambiguousDate,
        pricesWithoutCurrency: plan.pricesWithoutCurrency,
        currencies: plan.currencies,
        missing: plan.missing,
        invalidDefaults: plan.invalidDefaults,
      },
    },
    rows: planned.map(toDraftRow),
    skippedCsv: formatSkippedRows(table.header, planned),
  }
}

function readColumns({ header }: ImportTable, { mapping: chosen }: ImportOptions): DraftColumns {
  const { format, mapping: detected } = detectFormat(header)
  const mapping = (format === 'other' && chosen) || detected
  return { format, mapping, canPlan: canIdentifySets(mapping) && (format !== 'other' || chosen !== undefined) }
}

function toDraftRow(row: PlannedRow): DraftRow {
  const cells = row.cells.filter((cell) => cell.trim() !== '')
  return {
    row: row.row,
    state: row.state,
    reason: row.state === 'ready' ? null : row.reason,
    lot: row.state === 'ready' ? row.lot : null,
    excerpt: cells.join(', ').slice(0, EXCERPT_LENGTH),
  }
}

/** Formats the skipped rows as CSV, with the reason in an extra column; the corrected file can be imported again. */
function formatSkippedRows(header: string[], rows: PlannedRow[]): string {
  const skipped = rows.flatMap((row) =>
    row.state === 'ready'
      ? []
      : [[...header.map((_, index) => row.cells[index] ?? ''), `Row ${row.row}: ${row.reason}`]],
  )
  return formatCsv([[...header, 'reason'], ...skipped])
}
