import { data } from 'react-router'
import type { Database } from '@brickmark/core/db/database'
import { findBrickfolios, ownsBrickfolio } from '@brickmark/core/portfolio/collection-queries'
import { findHeldBySet } from '@brickmark/core/portfolio/portfolio-queries'
import { findSetValues } from '@brickmark/core/market/value-queries'
import { isLotStatus, type LotFilter, type LotSelection } from '@brickmark/core/portfolio/lot'
import { isLotOrder, type LotOrder } from '@brickmark/core/portfolio/lot-queries'
import { isCondition } from '@brickmark/core/catalog/condition'
import { centsOrNull } from '@brickmark/core/primitives/money'
import { totalsOf, unvaluedUnits, valuedLot, type PortfolioTotals } from '@brickmark/core/portfolio/portfolio'

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
export async function findCollections(as: Database, accountId: number) {
  const brickfolios = await findBrickfolios(as, accountId)
  const held = await findHeldBySet(as, accountId)
  const values = await findSetValues(as, [...new Set(held.map((row) => row.set_number))])
  const known = new Map(values.map((row) => [`${row.condition} ${row.set_number}`, centsOrNull(row.value_usd)]))
  const valueOf = (setNumber: string, condition: string) => known.get(`${condition} ${setNumber}`) ?? null
  const rows = Map.groupBy(held, (row) => row.brickfolio_id)
  const collections = brickfolios.map((one): Collection => {
    const own = (rows.get(one.id) ?? []).map((row) => valuedLot(row, valueOf))
    return {
      id: one.id,
      name: one.name,
      description: one.description,
      isDefault: one.is_default,
      totals: totalsOf(own),
      unvalued: unvaluedUnits(own),
    }
  })
  const latest = Math.max(...values.map((row) => row.calculated_at.getTime()))
  return { collections, asOf: values.length === 0 ? undefined : new Date(latest).toISOString() }
}

/** The id in an address, or 404: an address that names nothing is not found. */
export function idIn(text: string | undefined): number {
  if (text === undefined || !/^[1-9]\d{0,15}$/.test(text)) throw data('not found', 404)
  return Number(text)
}

/** The collection of an address with all of the account's; 404 when it belongs to somebody else. */
export async function findCollection(as: Database, accountId: number, id: string | undefined) {
  const wanted = idIn(id)
  const { collections, asOf } = await findCollections(as, accountId)
  const collection = collections.find((one) => one.id === wanted)
  if (!collection) throw data('not found', 404)
  return { collection, collections, asOf }
}

/** The id of the collection of an address, which the account must own, otherwise 404. */
export async function ownCollectionId(as: Database, accountId: number, id: string | undefined): Promise<number> {
  const wanted = idIn(id)
  if (!(await ownsBrickfolio(as, accountId, wanted))) throw data('not found', 404)
  return wanted
}

/** How a collection's lots are listed: it all stands in the address. */
export type LotList = { filter: LotFilter; by: LotOrder; descending: boolean; offset: number; edit: number | undefined }

export function lotListOf(search: URLSearchParams): LotList {
  const by = search.get('by') ?? ''
  const offset = Number(search.get('offset'))
  const edit = Number(search.get('edit'))
  return {
    filter: lotFilterOf(search),
    by: isLotOrder(by) ? by : 'added',
    descending: isLotOrder(by) ? search.get('order') === 'descending' : true,
    offset: Number.isSafeInteger(offset) && offset > 0 ? Math.min(offset, 1_000_000_000) : 0,
    edit: Number.isSafeInteger(edit) && edit > 0 ? edit : undefined,
  }
}

function lotFilterOf(search: URLSearchParams): LotFilter {
  const text = plainText(search.get('q'))
  const [condition, status] = [search.get('condition') ?? '', search.get('status') ?? '']
  return {
    text: text === '' ? undefined : text,
    condition: isCondition(condition) ? condition : undefined,
    status: isLotStatus(status) ? status : undefined,
  }
}

/** Which lots a bulk form means: those ticked, or all that the filter in the address lists. */
export function lotSelectionOf(fields: FormData | URLSearchParams, search: URLSearchParams): LotSelection {
  if (fields.get('all') === 'yes') return { filter: lotFilterOf(search) }
  return { ids: fields.getAll('lot').map(Number).filter(Number.isSafeInteger) }
}

/** One line of text somebody typed, as the database can keep it. */
export function plainText(typed: FormDataEntryValue | null): string {
  return typeof typed === 'string' ? typed.replaceAll('\0', '').trim() : ''
}
