import { type RawBuilder, sql } from 'kysely'
import type { Condition } from '../catalog/condition.ts'
import type { Database } from '../db/database.ts'
import { rowVersion } from '../db/row-version.ts'
import type { LotFilter, LotSelection, LotStatus } from './lot.ts'

const SORT_EXPRESSIONS = {
  added: sql`h.id`,
  // Sorts 9000-1 before 10000-1.
  number: sql`(lpad(split_part(h.set_number, '-', 1), 24, '0'), h.set_number)`,
  title: sql`s.title`,
  quantity: sql`h.quantity`,
  condition: sql`h.condition`,
  status: sql`h.status`,
  price: sql`h.purchase_price_cents`,
  date: sql`h.purchase_date`,
  total: sql`h.quantity::bigint * v.value_cents`,
  gain: sql`h.quantity::bigint * (v.value_cents - h.purchase_price_cents)`,
  theme: sql`s.theme`,
  year: sql`s.release_date`,
}

export type LotSortKey = keyof typeof SORT_EXPRESSIONS

export function isLotSortKey(name: string): name is LotSortKey {
  return Object.hasOwn(SORT_EXPRESSIONS, name)
}

/** Returns one page of a collection's lots with the current unit value, and the number of matching lots. */
export async function findLots(
  db: Database,
  accountId: number,
  brickfolioId: number,
  {
    filter,
    sortBy,
    descending,
    limit,
    offset,
  }: { filter: LotFilter; sortBy: LotSortKey; descending: boolean; limit: number; offset: number },
) {
  const matching = lotConditions(accountId, brickfolioId, { filter })
  const { lots: total } = await countLots(db, accountId, brickfolioId, { filter })
  const direction = descending ? sql`desc nulls last` : sql`asc nulls last`
  const { rows: lots } = await sql<{
    id: number
    set_number: string
    title: string
    theme: string
    release_year: number | null
    quantity: number
    condition: Condition
    status: LotStatus
    purchase_price_cents: number | null
    purchase_date: string | null
    notes: string | null
    value_cents: number | null
    version: string
  }>`
    select h.id, h.set_number, s.title, s.theme, extract(year from s.release_date)::integer as release_year, h.quantity,
           h.condition, h.status, h.purchase_price_cents, h.purchase_date, h.notes, v.value_cents,
           ${rowVersion('h')} as version
      from portfolio.lot h
      join catalog.set s using (set_number)
      left join market.set_value v on v.set_number = h.set_number and v.condition = h.condition
     where ${matching}
     order by ${SORT_EXPRESSIONS[sortBy]} ${direction}, h.id ${direction}
     limit ${limit} offset ${offset}`.execute(db)
  return { lots, total }
}

/** Returns a condition on `portfolio.lot h` joined with `catalog.set s`: the selected held lots of a collection. */
export function lotConditions(accountId: number, brickfolioId: number, selection: LotSelection): RawBuilder<boolean> {
  const parts = [sql`h.account_id = ${accountId} and h.collection_id = ${brickfolioId} and h.quantity > 0`]
  if ('ids' in selection) parts.push(sql`h.id = any(${selection.ids}::bigint[])`)
  else {
    const { text, condition, status, theme, year, retired } = selection.filter
    if (theme !== undefined) parts.push(sql`s.theme = ${theme}`)
    if (year !== undefined) parts.push(sql`extract(year from s.release_date) = ${year}`)
    if (retired !== undefined)
      parts.push(sql`coalesce(s.retire_date <= (now() at time zone 'utc')::date, false) = ${retired}`)
    if (condition !== undefined) parts.push(sql`h.condition = ${condition}`)
    if (status !== undefined) parts.push(sql`h.status = ${status}`)
    if (text !== undefined) {
      parts.push(sql`(starts_with(lower(h.set_number), lower(${text})) or strpos(lower(s.title), lower(${text})) > 0
        or strpos(lower(h.notes), lower(${text})) > 0)`)
    }
  }
  return sql<boolean>`${sql.join(parts, sql` and `)}`
}

/** Returns the themes and years of release of a collection's held lots, to filter by. */
export async function findLotFacets(db: Database, accountId: number, brickfolioId: number) {
  const { rows } = await sql<{ themes: string[]; years: number[] }>`
    select coalesce(array_agg(distinct s.theme order by s.theme), '{}') as themes,
           coalesce(array_agg(distinct extract(year from s.release_date)::integer
                              order by extract(year from s.release_date)::integer desc)
                      filter (where s.release_date is not null), '{}') as years
      from portfolio.lot h
      join catalog.set s using (set_number)
     where h.account_id = ${accountId} and h.collection_id = ${brickfolioId} and h.quantity > 0`.execute(db)
  return rows[0]!
}

/** Returns the held lots of all collections or of one, in the order they were added, for an export. */
export async function findLotsToExport(db: Database, accountId: number, brickfolioId: number | undefined) {
  const { rows } = await sql<{
    collection: string
    set_number: string
    title: string
    condition: Condition
    status: LotStatus
    quantity: number
    purchase_price_cents: number | null
    purchase_date: string | null
    notes: string | null
    value_cents: number | null
  }>`
    select b.name as collection, h.set_number, s.title, h.condition, h.status, h.quantity, h.purchase_price_cents,
           h.purchase_date, h.notes, v.value_cents
      from portfolio.lot h
      join portfolio.collection b on b.account_id = h.account_id and b.id = h.collection_id
      join catalog.set s using (set_number)
      left join market.set_value v on v.set_number = h.set_number and v.condition = h.condition
     where h.account_id = ${accountId} and h.quantity > 0
       and ${brickfolioId === undefined ? sql`true` : sql`h.collection_id = ${brickfolioId}`}
     order by h.id`.execute(db)
  return rows
}

/** Counts the selected lots and their units. */
export async function countLots(db: Database, accountId: number, brickfolioId: number, selection: LotSelection) {
  const { rows } = await sql<{ lots: number; units: number }>`
    select count(*) as lots, coalesce(sum(h.quantity), 0) as units
      from portfolio.lot h join catalog.set s using (set_number)
     where ${lotConditions(accountId, brickfolioId, selection)}`.execute(db)
  return rows[0] ?? { lots: 0, units: 0 }
}

/** Returns the held lots of one set in all collections, oldest first; lots without a date come before all others. */
export async function findLotsOfSet(db: Database, accountId: number, setNumber: string) {
  const { rows } = await sql<{
    id: number
    collection_id: number
    collection: string
    quantity: number
    condition: Condition
    status: LotStatus
    purchase_price_cents: number | null
    purchase_date: string | null
  }>`
    select h.id, h.collection_id, b.name as collection, h.quantity, h.condition, h.status, h.purchase_price_cents,
           h.purchase_date
      from portfolio.lot h
      join portfolio.collection b on b.account_id = h.account_id and b.id = h.collection_id
     where h.account_id = ${accountId} and h.set_number = ${setNumber} and h.quantity > 0
     order by h.purchase_date nulls first, h.id`.execute(db)
  return rows
}
