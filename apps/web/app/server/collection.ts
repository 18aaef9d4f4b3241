import { data } from 'react-router'
import type { Database } from '@brickmark/core/db/database'
import { findBrickfolios, ownsBrickfolio } from '@brickmark/core/portfolio/collection-queries'
import { findHoldingTotalsBySet } from '@brickmark/core/portfolio/portfolio-queries'
import { findSetValues } from '@brickmark/core/market/value-queries'
import { isLotStatus, type LotFilter, type LotSelection } from '@brickmark/core/portfolio/lot'
import { isLotSortKey, type LotSortKey } from '@brickmark/core/portfolio/lot-queries'
import { isCondition } from '@brickmark/core/catalog/condition'
import { centsOrNull } from '@brickmark/core/primitives/money'
import { sumTotals, countUnvaluedUnits, toValuedLot, type PortfolioTotals } from '@brickmark/core/portfolio/portfolio'

export type Collection = {
  id: number
  name: string
  description: string | null
  isDefault: boolean
  totals: PortfolioTotals
  /** Units without a value: counted, but in none of the money. */
  unvalued: number
}

/** An account's collections with what they cost and are worth, by the same rules as GET /brickfolio. */
export async function findCollections(tx: Database, accountId: number) {
  const brickfolios = await findBrickfolios(tx, accountId)
  const held = await findHoldingTotalsBySet(tx, accountId)
  const values = await findSetValues(tx, [...new Set(held.map((row) => row.set_number))])
  const known = new Map(values.map((row) => [`${row.condition} ${row.set_number}`, centsOrNull(row.value_usd)]))
  const valueOf = (setNumber: string, condition: string) => known.get(`${condition} ${setNumber}`) ?? null
  const rows = Map.groupBy(held, (row) => row.brickfolio_id)
  const collections = brickfolios.map((brickfolio): Collection => {
    const lots = (rows.get(brickfolio.id) ?? []).map((row) => toValuedLot(row, valueOf))
    return {
      id: brickfolio.id,
      name: brickfolio.name,
      description: brickfolio.description,
      isDefault: brickfolio.is_default,
      totals: sumTotals(lots),
      unvalued: countUnvaluedUnits(lots),
    }
  })
  const latest = Math.max(...values.map((row) => row.calculated_at.getTime()))
  return { collections, asOf: values.length === 0 ? undefined : new Date(latest).toISOString() }
}

/** The id in an address, or 404: an address that names nothing is not found. */
export function parseId(text: string | undefined): number {
  if (text === undefined || !/^[1-9]\d{0,15}$/.test(text)) throw data('not found', 404)
  return Number(text)
}

/** The collection of an address with all of the account's; 404 when it belongs to somebody else. */
export async function findCollection(tx: Database, accountId: number, id: string | undefined) {
  const idParam = parseId(id)
  const { collections, asOf } = await findCollections(tx, accountId)
  const collection = collections.find((collection) => collection.id === idParam)
  if (!collection) throw data('not found', 404)
  return { collection, collections, asOf }
}

/** The id of the collection of an address, which the account must own, otherwise 404. */
export async function requireOwnedCollection(tx: Database, accountId: number, id: string | undefined): Promise<number> {
  const idParam = parseId(id)
  if (!(await ownsBrickfolio(tx, accountId, idParam))) throw data('not found', 404)
  return idParam
}

/** How a collection's lots are listed: it all stands in the address. */
export type LotList = {
  filter: LotFilter
  sortBy: LotSortKey
  descending: boolean
  offset: number
  edit: number | undefined
}

export function parseLotQuery(search: URLSearchParams): LotList {
  const sortBy = search.get('by') ?? ''
  const offset = Number(search.get('offset'))
  const edit = Number(search.get('edit'))
  return {
    filter: parseLotFilter(search),
    sortBy: isLotSortKey(sortBy) ? sortBy : 'added',
    descending: isLotSortKey(sortBy) ? search.get('order') === 'descending' : true,
    offset: Number.isSafeInteger(offset) && offset > 0 ? Math.min(offset, 1_000_000_000) : 0,
    edit: Number.isSafeInteger(edit) && edit > 0 ? edit : undefined,
  }
}

function parseLotFilter(search: URLSearchParams): LotFilter {
  const text = cleanText(search.get('q'))
  const [condition, status] = [search.get('condition') ?? '', search.get('status') ?? '']
  return {
    text: text === '' ? undefined : text,
    condition: isCondition(condition) ? condition : undefined,
    status: isLotStatus(status) ? status : undefined,
  }
}

/** Which lots a bulk form means: those ticked, or all that the filter in the address lists. */
export function parseLotSelection(fields: FormData | URLSearchParams, search: URLSearchParams): LotSelection {
  if (fields.get('all') === 'yes') return { filter: parseLotFilter(search) }
  return { ids: fields.getAll('lot').map(Number).filter(Number.isSafeInteger) }
}

/** One line of text somebody typed, as the database can keep it. */
export function cleanText(typed: FormDataEntryValue | null): string {
  return typeof typed === 'string' ? typed.replaceAll('\0', '').trim() : ''
}
