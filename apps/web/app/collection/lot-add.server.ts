import type { RouterContextProvider } from 'react-router'
import { themeTint } from '@brickmark/art/palettes'
import { barcodeKey } from '@brickmark/core/catalog/barcode'
import { findSetByNumber, searchSets, type SetMatch } from '@brickmark/core/catalog/set-search-queries'
import { readAs, type Database } from '@brickmark/core/db/database'
import { findSetValues } from '@brickmark/core/market/values/value-queries'
import type { YearChange } from '@brickmark/core/market/values/year-change'
import { findYearChanges } from '@brickmark/core/market/values/year-change-queries'
import { findCollections } from '@brickmark/core/portfolio/collection-queries'
import { countCopies, findLot } from '@brickmark/core/portfolio/lot-queries'
import { utcDayOf } from '@brickmark/core/primitives/calendar'
import { getServices, requireUser } from '../request/context.server.ts'
import { newSubmission } from '../request/form.server.ts'
import { cleanText } from '../request/input.server.ts'
import { latestPossibleDate, today } from '../request/today.server.ts'
import { requireOwnedCollection } from './collection.server.ts'

const MAX_RESULTS = 25
/** How many are shown at first, so that the form of a chosen set stays near on a phone. */
const FIRST_RESULTS = 5

/** A set that can be added. Money in cents, null if unknown. */
export type AddableSet = {
  number: string
  title: string
  theme: string
  year: number | null
  tint: string
  sealed: number | null
  used: number | null
  /** How the sealed value changed. */
  yearChange: YearChange | null
  /** How many copies the account has, in all collections. */
  copies: number
}

/**
 * Loads three steps on one URL: search for a set (`q`), choose one (`set`), enter the purchase. A barcode that belongs to one set
 * chooses it. `after` is the lot that was just added; its condition, status and date are the defaults for the next one.
 */
export async function loadLotAdd(context: Readonly<RouterContextProvider>, request: Request, collection?: string) {
  const { db } = getServices(context)
  const { accountId } = requireUser(context)
  const search = new URL(request.url).searchParams
  const [query, number, after] = [cleanText(search.get('q')), cleanText(search.get('set')), search.get('after') ?? '']
  return readAs(db, accountId, async (tx) => {
    const id = await requireOwnedCollection(tx, accountId, collection)
    const collections = await findCollections(tx, accountId)
    const matches = query.length < 2 ? [] : await searchSets(tx, query, MAX_RESULTS)
    const isBarcode = barcodeKey(query.replaceAll(/[ -]/g, '')) !== undefined
    const chosen = number === '' ? undefined : await findSetByNumber(tx, number)
    const scanned = isBarcode && matches.length === 1 ? matches[0] : undefined
    const shown = search.get('all') === 'yes' ? matches : matches.slice(0, FIRST_RESULTS)
    const selected = chosen ?? scanned
    const sets = await loadAddableSets(tx, accountId, selected ? [...shown, selected] : shown)
    const added = /^[1-9]\d{0,14}$/.test(after) ? await findLot(tx, accountId, id, Number(after)) : undefined
    return {
      id,
      name: collections.find((own) => own.id === id)!.name,
      others: collections.filter((own) => own.id !== id).map(({ id, name }) => ({ id, name })),
      query,
      isBarcode,
      isFoundByBarcode: chosen === undefined && scanned !== undefined,
      selectedSet: selected && sets.get(selected.set_number)!,
      results: shown.map(({ set_number }) => sets.get(set_number)!),
      total: matches.length,
      isTotalKnown: matches.length < MAX_RESULTS,
      added: added && {
        id: Number(after),
        title: added.title,
        quantity: added.quantity,
        condition: added.condition,
        status: added.status,
        date: added.purchase_date,
      },
      today: today(),
      maxDate: latestPossibleDate(),
      submission: newSubmission(),
    }
  })
}

async function loadAddableSets(tx: Database, accountId: number, matches: SetMatch[]) {
  const numbers = [...new Set(matches.map(({ set_number }) => set_number))]
  const rows = await findSetValues(tx, numbers)
  const valuesOf = (condition: string) =>
    new Map(
      rows.flatMap((row) =>
        row.condition === condition && row.value_cents !== null ? [[row.set_number, row.value_cents]] : [],
      ),
    )
  const [sealed, used] = [valuesOf('sealed'), valuesOf('used')]
  const changes = await findYearChanges(tx, sealed, utcDayOf(new Date()))
  const copies = await countCopies(tx, accountId, numbers)
  return new Map(
    matches.map(({ set_number: number, title, theme, release_year }): [string, AddableSet] => [
      number,
      {
        number,
        title,
        theme,
        year: release_year,
        tint: themeTint(theme),
        sealed: sealed.get(number) ?? null,
        used: used.get(number) ?? null,
        yearChange: changes.get(number) ?? null,
        copies: copies.get(number) ?? 0,
      },
    ]),
  )
}

export type LotAddData = Awaited<ReturnType<typeof loadLotAdd>>
