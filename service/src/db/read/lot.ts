import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../database.ts'
import { versionOf } from '../version.ts'
import type { Condition } from '../../domain/portfolio.ts'
import type { LotStatus } from '../../domain/lot.ts'

/** Which lots of a collection are meant; nothing given means all that are held. */
export type LotFilter = { text?: string | undefined; condition?: Condition | undefined; status?: LotStatus | undefined }

/** Some lots, by id or by filter. */
export type LotSelection = { ids: number[] } | { filter: LotFilter }

const ORDERS = {
  added: sql`h.id`,
  // 9000-1 before 10000-1.
  number: sql`(lpad(split_part(h.set_number, '-', 1), 24, '0'), h.set_number)`,
  title: sql`s.title`,
  quantity: sql`h.quantity`,
  condition: sql`h.condition`,
  status: sql`h.status`,
  price: sql`h.purchase_price_usd`,
  date: sql`h.purchase_date`,
  total: sql`h.quantity * v.value_usd`,
  gain: sql`h.quantity * (v.value_usd - h.purchase_price_usd)`,
}

export type LotOrder = keyof typeof ORDERS

export function isLotOrder(name: string): name is LotOrder {
  return Object.hasOwn(ORDERS, name)
}

/** One page of a collection's lots with today's value of a unit, and how many lots match. */
export async function findLots(
  db: Database,
  accountId: number,
  brickfolioId: number,
  {
    filter,
    by,
    descending,
    limit,
    offset,
  }: { filter: LotFilter; by: LotOrder; descending: boolean; limit: number; offset: number },
) {
  const matching = lotsWhere(accountId, brickfolioId, { filter })
  const { lots: total } = await countLots(db, accountId, brickfolioId, { filter })
  const direction = descending ? sql`desc nulls last` : sql`asc nulls last`
  const { rows: lots } = await sql<{
    id: number
    set_number: string
    title: string
    quantity: number
    condition: Condition
    status: LotStatus
    purchase_price_usd: string
    purchase_date: string
    notes: string | null
    value_usd: string | null
    version: string
  }>`
    select h.id, h.set_number, s.title, h.quantity, h.condition, h.status, h.purchase_price_usd, h.purchase_date, h.notes,
           v.value_usd, ${versionOf('h')} as version
      from portfolio.holding h
      join catalog.set s using (set_number)
      left join market.set_value v on v.set_number = h.set_number and v.condition = h.condition
     where ${matching}
     order by ${ORDERS[by]} ${direction}, h.id ${direction}
     limit ${limit} offset ${offset}`.execute(db)
  return { lots, total }
}

/** Condition on `portfolio.holding h` joined with `catalog.set s`: the held lots of a collection that are selected. */
export function lotsWhere(accountId: number, brickfolioId: number, selection: LotSelection): RawBuilder<boolean> {
  const parts = [sql`h.account_id = ${accountId} and h.brickfolio_id = ${brickfolioId} and h.quantity > 0`]
  if ('ids' in selection) parts.push(sql`h.id = any(${selection.ids}::bigint[])`)
  else {
    const { text, condition, status } = selection.filter
    if (condition !== undefined) parts.push(sql`h.condition = ${condition}`)
    if (status !== undefined) parts.push(sql`h.status = ${status}`)
    if (text !== undefined) {
      parts.push(sql`(starts_with(lower(h.set_number), lower(${text})) or strpos(lower(s.title), lower(${text})) > 0
        or strpos(lower(h.notes), lower(${text})) > 0)`)
    }
  }
  return sql<boolean>`${sql.join(parts, sql` and `)}`
}

/** Every lot held, of all collections or of one, in the order in which they were added: what an export writes. */
export async function findLotsToExport(db: Database, accountId: number, brickfolioId: number | undefined) {
  const { rows } = await sql<{
    collection: string
    set_number: string
    title: string
    condition: Condition
    status: LotStatus
    quantity: number
    purchase_price_usd: string
    purchase_date: string
    notes: string | null
  }>`
    select b.name as collection, h.set_number, s.title, h.condition, h.status, h.quantity, h.purchase_price_usd,
           h.purchase_date, h.notes
      from portfolio.holding h
      join portfolio.brickfolio b on b.account_id = h.account_id and b.id = h.brickfolio_id
      join catalog.set s using (set_number)
     where h.account_id = ${accountId} and h.quantity > 0
       and ${brickfolioId === undefined ? sql`true` : sql`h.brickfolio_id = ${brickfolioId}`}
     order by h.id`.execute(db)
  return rows
}

/** How many lots are selected, and their units. */
export async function countLots(db: Database, accountId: number, brickfolioId: number, selection: LotSelection) {
  const { rows } = await sql<{ lots: number; units: number }>`
    select count(*) as lots, coalesce(sum(h.quantity), 0) as units
      from portfolio.holding h join catalog.set s using (set_number)
     where ${lotsWhere(accountId, brickfolioId, selection)}`.execute(db)
  return rows[0] ?? { lots: 0, units: 0 }
}
