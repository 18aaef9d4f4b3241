import { data, redirect, type RouterContextProvider } from 'react-router'
import { readAs, writeAs, type Database } from '@brickmark/core/db/database'
import { describeExceededLimit } from '@brickmark/core/portfolio/account-limit-queries'
import { findCollections } from '@brickmark/core/portfolio/collection-queries'
import { saveImportDraft } from '@brickmark/core/portfolio/lot-import-commands'
import { findDraftContent, findImportDraft, type StoredDraft } from '@brickmark/core/portfolio/lot-import-queries'
import { findSetsForImport } from '@brickmark/core/catalog/set-search-queries'
import type { DraftPlan, PlannedDraft } from '@brickmark/core/portfolio/lot-import/draft'
import { IMPORT_FIELDS } from '@brickmark/core/portfolio/lot-import/format'
import type { ImportOptions, PlannedLot } from '@brickmark/core/portfolio/lot-import/plan'
import { isCondition } from '@brickmark/core/catalog/condition'
import { MAX_COLLECTION_NAME } from '@brickmark/core/portfolio/lot'
import type { TaskInput, TaskName, TaskResult } from '../../host/import/upload-reader.ts'
import { actionError } from '../request/action-result.server.ts'
import { getServices, requireUser } from '../request/context.server.ts'
import { today } from '../request/today.server.ts'
import { requireOwnedCollection } from '../collection/collection.server.ts'
import { cleanText } from '../request/input.server.ts'

type Context = Readonly<RouterContextProvider>

const UPLOAD_POINTS = 10

/** Takes the points of an upload or another plan from the account's limit; throws 429 if there are none left. */
export async function takeImportPoints(context: Context, points: number): Promise<void> {
  const seconds = await getServices(context).rateLimits.imports.take(requireUser(context).accountId, points)
  if (seconds === 0) return
  const minutes = Math.ceil(seconds / 60)
  throw new ImportError(
    `You’ve uploaded too many files in the last hour. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
    429,
    seconds,
  )
}

/** Why a file was refused. The message is for the user. */
export class ImportError extends Error {
  readonly status: number
  readonly retryAfterS: number | undefined

  constructor(message: string, status: number, retryAfterS?: number) {
    super(message)
    this.status = status
    this.retryAfterS = retryAfterS
  }
}

/** Turns the refusal of a file into the result of an action; other errors are thrown on. */
export function importErrorResult(error: unknown) {
  if (error instanceof ImportError) {
    const headers = error.retryAfterS === undefined ? undefined : { 'retry-after': String(error.retryAfterS) }
    return actionError(error.message, error.status, new Headers(headers))
  }
  throw error
}

/** Returns the bytes of an uploaded file, or of pasted text, and the name of the file. */
export async function readUpload(form: FormData): Promise<{ bytes: Uint8Array; fileName: string | undefined }> {
  const file = form.get('file')
  if (file instanceof File && file.size > 0)
    return { bytes: new Uint8Array(await file.arrayBuffer()), fileName: file.name }
  const pasted = form.get('text')
  return { bytes: new TextEncoder().encode(typeof pasted === 'string' ? pasted : ''), fileName: undefined }
}

/** Processes a file in a worker thread; throws an `ImportError` if its limits don't allow that. */
export async function processFile<Name extends TaskName>(
  context: Context,
  name: Name,
  task: TaskInput<Name>,
): Promise<TaskResult<Name>> {
  const outcome = await getServices(context).uploadReader.run(requireUser(context).accountId, name, task)
  if ('problem' in outcome) throw new ImportError(outcome.problem, outcome.status)
  return outcome.result
}

/** Reads a file and saves it as a draft; returns the draft's id. */
export async function createDraft(context: Context, form: FormData): Promise<number> {
  const { db } = getServices(context)
  const { accountId } = requireUser(context)
  await takeImportPoints(context, UPLOAD_POINTS)
  const { bytes, fileName } = await readUpload(form)
  const file = await processFile(context, 'readLots', bytes)
  if (typeof file === 'string') throw new ImportError(file, 400)
  const target = cleanText(form.get('into'))
  const options: ImportOptions = /^\d{1,15}$/.test(target) ? { target } : {}
  const planned = await planContent(context, file.content, options)
  return writeAs(db, accountId, async (tx) => {
    const problem = await describeExceededLimit(tx, accountId, 'imports', 1)
    if (problem !== undefined) throw new ImportError(problem, 400)
    return saveImportDraft(tx, accountId, {
      ...file,
      fileName: cleanText(fileName ?? '').slice(0, 200) || 'Pasted data',
      options,
      planned,
    })
  })
}

/** Plans a draft's content in a worker thread. */
async function planContent(context: Context, content: string, options: ImportOptions): Promise<PlannedDraft> {
  const keys = await processFile(context, 'lookupKeys', { content, options })
  const sets = await findSetsForImport(getServices(context).db, keys)
  return processFile(context, 'plan', { content, options, sets, today: today() })
}

/** Plans a draft again with the options of the preview form; throws 404 if there is none. */
export async function replanDraft(context: Context, importId: number, options: ImportOptions): Promise<PlannedDraft> {
  const { db } = getServices(context)
  const { accountId } = requireUser(context)
  await takeImportPoints(context, 1)
  const content = await readAs(db, accountId, async (tx) => {
    await requireDraft(tx, accountId, importId)
    return findDraftContent(tx, accountId, importId)
  })
  if (content === undefined) throw redirect(importDonePath(importId))
  return planContent(context, content, options)
}

/**
 * Returns a draft with its plan; throws 404 if there is none. Redirects to the import history if the draft was already
 * imported, e.g. by the first of two clicks.
 */
export async function requireDraft(tx: Database, accountId: number, importId: number): Promise<StoredDraft> {
  const draft = await findImportDraft(tx, accountId, importId)
  if (draft === 'done') throw redirect(importDonePath(importId))
  if (draft === undefined) throw data('not found', 404)
  return draft
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
  if (field('fallback') === 'retail') options.fallback = 'retail'
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

type OwnedCollection = { id: number; name: string; is_default: boolean }

/**
 * Returns the target for new lots: the user's choice, else the file's collection column, else the default or a new one.
 */
export function targetCollection(options: ImportOptions, plan: DraftPlan, collections: OwnedCollection[]): string {
  if (options.target !== undefined) return options.target
  if (plan.mapping.collection !== undefined) return 'file'
  return String(collections.find((collection) => collection.is_default)?.id ?? 'new')
}

/** Returns the importable lots with their target: a collection id, or the name of a collection to find or create. */
export async function lotsToImport(
  tx: Database,
  accountId: number,
  { fileName, options }: StoredDraft,
  { plan, rows }: PlannedDraft,
): Promise<(PlannedLot & { target: string | number })[]> {
  const collections = await findCollections(tx, accountId)
  const target = targetCollection(options, plan, collections)
  const newName = newCollectionName(fileName)
  const defaultCollection = collections.find((collection) => collection.is_default)?.id ?? newName
  const into =
    target === 'file'
      ? defaultCollection
      : target === 'new'
        ? newName
        : await requireOwnedCollection(tx, accountId, target)
  return rows.flatMap(({ lot }) =>
    lot === null ? [] : [{ ...lot, target: (target === 'file' ? lot.collection : null) ?? into }],
  )
}

export function newCollectionName(fileName: string): string {
  return fileName.replace(/\.[a-z]{3,4}$/i, '').slice(0, MAX_COLLECTION_NAME) || 'Imported'
}
