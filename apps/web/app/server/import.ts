import { createHash } from 'node:crypto'
import { data, redirect } from 'react-router'
import type { Database } from '@brickmark/core/db/database'
import { findBrickfolios } from '@brickmark/core/portfolio/collection-queries'
import { findImport } from '@brickmark/core/portfolio/lot-import-queries'
import { findSetsForImport } from '@brickmark/core/catalog/set-search-queries'
import { formatCsv } from '@brickmark/core/primitives/csv'
import {
  detectFormat,
  canIdentifySets,
  IMPORT_FIELDS,
  type FormatName,
  type ImportTable,
  type ColumnMapping,
} from '@brickmark/core/portfolio/lot-import/format'
import { collectLookupKeys } from '@brickmark/core/portfolio/lot-import/set-matcher'
import {
  unansweredQuestions,
  planImport,
  type ImportOptions,
  type ImportPlan,
  type PlannedLot,
} from '@brickmark/core/portfolio/lot-import/plan'
import { isCondition } from '@brickmark/core/catalog/condition'
import { MAX_COLLECTION_NAME } from '@brickmark/core/portfolio/lot'
import { parseTable } from '../../server/import/parse-file.ts'
import { today } from './edit-lots.ts'
import { requireOwnedCollection, cleanText } from './collection.ts'

/** SHA-256 of the content, used to detect repeated uploads. */
export function fileFingerprint(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

export type Draft = {
  id: number
  fileName: string
  fingerprint: string
  answers: ImportOptions
  table: ImportTable
  format: FormatName
  mapping: ColumnMapping
  /** Undefined until the mapped columns are enough to identify sets. */
  plan: ImportPlan | undefined
  openQuestions: string[]
  collections: { id: number; name: string; is_default: boolean }[]
}

/**
 * Loads an import draft and plans it with the options chosen so far; throws 404 if there is none. Redirects to the
 * import history if the draft was already imported, e.g. by the first of two clicks.
 */
export async function findDraft(tx: Database, accountId: number, id: number): Promise<Draft> {
  const found = await findImport(tx, accountId, id)
  if (found && found.status !== 'draft') throw redirect(importDonePath(id))
  const table = found?.content == null ? undefined : parseTable(found.content)
  if (!found || table === undefined || typeof table === 'string') throw data('not found', 404)
  const { answers } = found
  const { format, mapping: detected } = detectFormat(table.header)
  const mapping = (format === 'other' && answers.mapping) || detected
  const ready = canIdentifySets(mapping) && (format !== 'other' || answers.mapping !== undefined)
  const sets = ready ? await findSetsForImport(tx, collectLookupKeys(table, mapping)) : []
  const plan = ready ? planImport(table, { format, mapping }, answers, sets, today()) : undefined
  return {
    id: found.id,
    fileName: found.file_name,
    fingerprint: found.fingerprint,
    answers,
    table,
    format,
    mapping,
    plan,
    openQuestions: plan
      ? unansweredQuestions(plan, answers)
      : ['Say which column holds the set number, a barcode or the title.'],
    collections: await findBrickfolios(tx, accountId),
  }
}

/** Path of the import history, with this import highlighted as new. */
export function importDonePath(id: number): string {
  return `/imports?new=${id}`
}

/**
 * Parses the options from the preview form. Choices that were not offered are ignored; free text is kept unchanged so
 * that the plan can report what is wrong with it.
 */
export function parseImportOptions(form: FormData): ImportOptions {
  const field = (name: string) => cleanText(form.get(name))
  const options: ImportOptions = { rates: {}, choices: {} }
  const [dates, condition, price, date] = [field('dates'), field('condition'), field('price'), field('date')]
  if (dates === 'day-first' || dates === 'month-first') options.dates = dates
  if (/^[A-Z]{3}$/.test(field('currency'))) options.currency = field('currency')
  if (isCondition(condition)) options.condition = condition
  if (price !== '') options.price = price
  if (date !== '') options.date = date
  if (field('target') !== '') options.target = field('target')
  for (const name of form.keys()) {
    if (name.startsWith('rate:')) options.rates![name.slice(5)] = field(name)
    if (name.startsWith('choice:')) options.choices![name.slice(7)] = field(name)
  }
  const columns = IMPORT_FIELDS.flatMap((name) => {
    const index = field(`column:${name}`)
    return /^\d{1,4}$/.test(index) ? [[name, Number(index)] as const] : []
  })
  if (form.has('column:number')) options.mapping = Object.fromEntries(columns)
  return options
}

/**
 * Returns the target for new lots: the user's choice, else the file's collection column, else the default or a new one.
 */
export function targetCollection({ answers, mapping, collections }: Draft): string {
  if (answers.target !== undefined) return answers.target
  if (mapping.collection !== undefined) return 'file'
  return String(collections.find((collection) => collection.is_default)?.id ?? 'new')
}

/** Returns the importable lots with their target: a collection id, or the name of a collection to find or create. */
export async function lotsToImport(
  tx: Database,
  accountId: number,
  draft: Draft,
): Promise<(PlannedLot & { target: string | number })[]> {
  const target = targetCollection(draft)
  const newName = newCollectionName(draft.fileName)
  const defaultCollection = draft.collections.find((collection) => collection.is_default)?.id ?? newName
  const into =
    target === 'file'
      ? defaultCollection
      : target === 'new'
        ? newName
        : await requireOwnedCollection(tx, accountId, target)
  return (draft.plan?.rows ?? []).flatMap((row) =>
    row.state === 'ready' ? [{ ...row.lot, target: (target === 'file' ? row.lot.collection : null) ?? into }] : [],
  )
}

export function newCollectionName(fileName: string): string {
  return fileName.replace(/\.[a-z]{3,4}$/i, '').slice(0, MAX_COLLECTION_NAME) || 'Imported'
}

/** Returns the skipped rows as CSV, with the reason in an extra column; the corrected file can be imported again. */
export function skippedRows({ table, plan }: Draft): { rows: number; csv: string } {
  const rows = (plan?.rows ?? []).flatMap((row) =>
    row.state === 'ready'
      ? []
      : [[...table.header.map((_, index) => row.cells[index] ?? ''), `Row ${row.row}: ${row.reason}`]],
  )
  return { rows: rows.length, csv: formatCsv([[...table.header, 'reason'], ...rows]) }
}

/** Builds a CSV response that the browser saves as a file. */
export function csvDownload(name: string, text: string): Response {
  const headers = { 'content-type': 'text/csv; charset=utf-8', 'content-disposition': `attachment; filename="${name}"` }
  return new Response(text, { headers })
}
