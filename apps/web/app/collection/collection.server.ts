import { data } from 'react-router'
import type { Database } from '@brickmark/core/db/database'
import { ownsCollection } from '@brickmark/core/portfolio/collection-queries'
import { findCollectionsWithLots } from '@brickmark/core/portfolio/held-lot-queries'
import { findSetValues } from '@brickmark/core/market/values/value-queries'
import { isLotStatus, type LotFilter, type LotSelection } from '@brickmark/core/portfolio/lot'
import { isLotSortKey, type LotSortKey } from '@brickmark/core/portfolio/lot-queries'
import { findOtherValuedLots } from '@brickmark/core/portfolio/portfolio-queries'
import { isCondition } from '@brickmark/core/catalog/condition'
import { toValuedLot } from '@brickmark/core/portfolio/portfolio'
import { summarizeLots, type LotSummary } from '@brickmark/core/portfolio/portfolio-totals'
import { COMMON_VIEWS } from './lot-list.ts'
import { cleanText, parseId, parseOffset } from '../request/input.server.ts'

export type Collection = {
  id: number
  name: string
  description: string | null
  isDefault: boolean
  summary: LotSummary
}

/**
 * Returns the account's collections with cost and value, calculated like GET /brickfolio, which leaves out everything but
 * sets.
 */
export async function loadCollections(tx: Database, accountId: number) {
  const { collections: own, lots } = await findCollectionsWithLots(tx, accountId)
  const othersOf = Map.groupBy(await findOtherValuedLots(tx, accountId), (lot) => lot.collectionId)
  const values = await findSetValues(tx, [...new Set(lots.map((lot) => lot.setNumber))])
  const valueByKey = new Map(values.map((row) => [`${row.condition} ${row.set_number}`, row.value_cents]))
  const valueOf = (setNumber: string, condition: string) => valueByKey.get(`${condition} ${setNumber}`) ?? null
  const lotsOf = Map.groupBy(lots, (lot) => lot.collectionId)
  const collections = own.map(({ id, name, description, is_default: isDefault }): Collection => {
    const held = (lotsOf.get(id) ?? []).map((lot) => toValuedLot(lot, valueOf))
    return { id, name, description, isDefault, summary: summarizeLots([...held, ...(othersOf.get(id) ?? [])]) }
  })
  const latest = Math.max(...values.map((row) => row.calculated_at.getTime()))
  return { collections, asOf: values.length === 0 ? undefined : new Date(latest).toISOString() }
}

/**
 * Returns the collection with this id and all collections of the account; throws 404 if the account does not own it.
 */
export async function findCollection(tx: Database, accountId: number, id: string | undefined) {
  const idParam = parseId(id)
  const { collections, asOf } = await loadCollections(tx, accountId)
  const collection = collections.find((collection) => collection.id === idParam)
  if (!collection) throw data('not found', 404)
  return { collection, collections, asOf }
}

/** Parses a collection id; throws 404 unless the account owns that collection. */
export async function requireOwnedCollection(tx: Database, accountId: number, id: string | undefined): Promise<number> {
  const idParam = parseId(id)
  if (!(await ownsCollection(tx, accountId, idParam))) throw data('not found', 404)
  return idParam
}

/** Filter, sorting and paging of a lot list, all taken from the URL. */
export type LotList = {
  filter: LotFilter
  sortBy: LotSortKey
  descending: boolean
  offset: number
  edit: number | undefined
}

export function parseLotQuery(search: URLSearchParams): LotList {
  const sortBy = search.get('by') ?? ''
  const edit = Number(search.get('edit'))
  return {
    filter: parseLotFilter(search),
    sortBy: isLotSortKey(sortBy) ? sortBy : 'added',
    descending: isLotSortKey(sortBy) ? search.get('order') === 'descending' : true,
    offset: parseOffset(search.get('offset')),
    edit: Number.isSafeInteger(edit) && edit > 0 ? edit : undefined,
  }
}

function parseLotFilter(search: URLSearchParams): LotFilter {
  const text = cleanText(search.get('q'))
  const [condition, status] = [search.get('condition') ?? '', search.get('status') ?? '']
  const theme = cleanText(search.get('theme'))
  const year = search.get('year') ?? ''
  const retired = search.get('retired')
  return {
    theme: theme === '' ? undefined : theme,
    year: /^\d{4}$/.test(year) ? Number(year) : undefined,
    retired: retired === 'yes' ? true : retired === 'no' ? false : undefined,
    isLosing: search.get('gain') === 'loss' ? true : undefined,
    hasPrice: search.get('price') === 'unknown' ? false : undefined,
    text: text === '' ? undefined : text,
    condition: isCondition(condition) ? condition : undefined,
    status: isLotStatus(status) ? status : undefined,
  }
}

/** Returns the filters of the common views, read from their addresses, so that a count and its link agree. */
export function commonFilters(): LotFilter[] {
  return COMMON_VIEWS.map(([, query]) => parseLotFilter(new URLSearchParams(query)))
}

/** Returns the lots a bulk form applies to: the selected ones, or all that match the filter in the URL. */
export function parseLotSelection(fields: FormData | URLSearchParams, search: URLSearchParams): LotSelection {
  if (fields.get('all') === 'yes') return { filter: parseLotFilter(search) }
  return { ids: fields.getAll('lot').map(Number).filter(Number.isSafeInteger) }
}
