import { type RawBuilder, sql } from 'kysely'
import type { Condition } from '../catalog/condition.ts'
import type { Database } from '../db/database.ts'
import { parseItem, type ItemKind } from './item.ts'
import type { LotFilter, LotSelection, LotStatus } from './lot.ts'

const SORT_EXPRESSIONS = {
  added: sql`lot.id`,
  // Sorts 9000-1 before 10000-1.
  number: sql`(lpad(split_part(lot.item, '-', 1), 24, '0'), lot.item)`,
  title: sql`lot.title`,
  quantity: sql`lot.quantity`,
  condition: sql`lot.condition`,
  status: sql`lot.status`,
  price: sql`lot.purchase_price_cents`,
  date: sql`lot.purchase_date`,
  total: sql`lot.quantity::bigint * lot.value_cents`,
  gain: sql`lot.quantity::bigint * (lot.value_cents - lot.purchase_price_cents)`,
  theme: sql`lot.theme`,
  year: sql`(lot.release_year, lot.release_date)`,
}

export type LotSortKey = keyof typeof SORT_EXPRESSIONS

export function isLotSortKey(name: string): name is LotSortKey {
  return Object.hasOwn(SORT_EXPRESSIONS, name)
}

/** Returns one page of a collection's lots with the current unit value, and the matching lots counted. */
export async function findLots(
  db: Database,
  accountId: number,
  collectionId: number,
  {
    filter,
    sortBy,
    descending,
    limit,
    offset,
  }: { filter: LotFilter; sortBy: LotSortKey; descending: boolean; limit: number; offset: number },
) {
  const matching = await countLots(db, accountId, collectionId, { filter })
  const direction = descending ? sql`desc nulls last` : sql`asc nulls last`
  const { rows: lots } = await sql<{
    id: number
    item: string
    title: string
    theme: string
    release_year: number | null
    quantity: number
    condition: Condition | null
    status: LotStatus
    purchase_price_cents: number | null
    purchase_date: string | null
    notes: string | null
    value_cents: number | null
    own_value_date: string | null
    review_months: number | null
    review_date: string | null
    version: string
  }>`
    select id, item, title, theme, release_year, quantity, condition, status, purchase_price_cents, purchase_date, notes,
           value_cents, own_value_date, review_months, review_date, version
      from portfolio.lot_item lot
     where ${lotConditions(accountId, collectionId, { filter })}
     order by ${SORT_EXPRESSIONS[sortBy]} ${direction}, lot.id ${direction}
     limit ${limit} offset ${offset}`.execute(db)
  return { lots, matching }
}

/** Returns a condition on `portfolio.lot_item lot`: the selected held lots of a collection. */
export function lotConditions(accountId: number, collectionId: number, selection: LotSelection): RawBuilder<boolean> {
  const parts = [sql`lot.account_id = ${accountId} and lot.collection_id = ${collectionId} and lot.quantity > 0`]
  if ('ids' in selection) parts.push(sql`lot.id = any(${selection.ids}::bigint[])`)
  else {
    const { text, condition, status, theme, year, retired, isLosing, hasPrice } = selection.filter
    if (theme !== undefined) parts.push(sql`lot.theme = ${theme}`)
    if (year !== undefined) parts.push(sql`lot.release_year = ${year}`)
    if (retired !== undefined)
      parts.push(sql`lot.set_number is not null
        and coalesce(lot.retire_date <= (now() at time zone 'utc')::date, false) = ${retired}`)
    if (isLosing !== undefined)
      parts.push(sql`coalesce(lot.value_cents < lot.purchase_price_cents, false) = ${isLosing}`)
    if (hasPrice !== undefined) parts.push(sql`(lot.purchase_price_cents is not null) = ${hasPrice}`)
    if (condition !== undefined) parts.push(sql`lot.condition = ${condition}`)
    if (status !== undefined) parts.push(sql`lot.status = ${status}`)
    if (text !== undefined) {
      parts.push(sql`(starts_with(lower(coalesce(lot.set_number, lot.minifig_number)), lower(${text})) or strpos(lower(lot.title), lower(${text})) > 0
        or strpos(lower(lot.notes), lower(${text})) > 0)`)
    }
  }
  return sql<boolean>`${sql.join(parts, sql` and `)}`
}

/** Returns the themes and years of release of a collection's held lots, to filter by. */
export async function findLotFacets(db: Database, accountId: number, collectionId: number) {
  const { rows } = await sql<{ themes: string[]; years: number[] }>`
    select coalesce(array_agg(distinct theme order by theme), '{}') as themes,
           coalesce(array_agg(distinct release_year order by release_year desc)
                      filter (where release_year is not null), '{}') as years
      from portfolio.lot_item
     where account_id = ${accountId} and collection_id = ${collectionId} and quantity > 0`.execute(db)
  return rows[0]!
}

/** Returns the held lots of all collections or of one, in the order they were added, for an export. */
export async function findLotsToExport(db: Database, accountId: number, collectionId: number | undefined) {
  const { rows } = await sql<{
    collection: string
    set_number: string | null
    minifig_number: string | null
    title: string
    condition: Condition | null
    status: LotStatus
    quantity: number
    purchase_price_cents: number | null
    purchase_date: string | null
    notes: string | null
    value_cents: number | null
    data_tier: string | null
    own_value_date: string | null
  }>`
    select collection.name as collection, lot.set_number, lot.minifig_number, lot.title, lot.condition, lot.status, lot.quantity,
           lot.purchase_price_cents, lot.purchase_date, lot.notes, lot.value_cents, lot.data_tier, lot.own_value_date
      from portfolio.lot_item lot
      join portfolio.collection on collection.account_id = lot.account_id and collection.id = lot.collection_id
     where lot.account_id = ${accountId} and lot.quantity > 0
       and ${collectionId === undefined ? sql`true` : sql`lot.collection_id = ${collectionId}`}
     order by lot.id`.execute(db)
  return rows
}

/**
 * Returns one page of the lots of sets an account holds, in all collections or in one, in the order they were added, and the number of
 * matching lots; undefined if the account has no such collection.
 */
export async function findLotPage(
  db: Database,
  accountId: number,
  {
    collectionId,
    setNumber,
    condition,
    status,
    limit,
    offset,
  }: {
    collectionId?: number | undefined
    setNumber?: string | undefined
    condition?: Condition | undefined
    status?: LotStatus | undefined
    limit: number
    offset: number
  },
) {
  const collections = await db
    .selectFrom('portfolio.collection')
    .select(['id', 'name'])
    .where('account_id', '=', accountId)
    .execute()
  const names = new Map(collections.map(({ id, name }) => [id, name]))
  if (collectionId !== undefined && !names.has(collectionId)) return undefined
  const matching = db
    .selectFrom('portfolio.lot')
    .where('account_id', '=', accountId)
    .where('set_number', 'is not', null)
    .where('quantity', '>', 0)
    .$if(collectionId !== undefined, (query) => query.where('collection_id', '=', collectionId!))
    .$if(setNumber !== undefined, (query) => query.where('set_number', '=', setNumber!))
    .$if(condition !== undefined, (query) => query.where('condition', '=', condition!))
    .$if(status !== undefined, (query) => query.where('status', '=', status!))
  const { total } = await matching.select(db.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await matching
    .select(['id', 'collection_id', 'set_number', 'quantity', 'condition', 'status', 'purchase_price_cents'])
    .select(['purchase_date', 'notes'])
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()
  const lots = rows.map((row) => ({
    ...row,
    set_number: row.set_number!,
    collection: names.get(row.collection_id)!,
    condition: row.condition as Condition,
    status: row.status as LotStatus,
  }))
  return { lots, total }
}

/** Returns what kind of item a held lot holds; undefined if the account has no such lot. */
export async function findLotKind(db: Database, accountId: number, lotId: number): Promise<ItemKind | undefined> {
  const { rows } = await sql<{ item: string }>`
    select item from portfolio.lot_item where account_id = ${accountId} and id = ${lotId} and quantity > 0`.execute(db)
  return rows[0] && parseItem(rows[0].item).kind
}

/** Counts the selected lots and their units, and sums up what those with a value are worth; null if none has one. */
export async function countLots(db: Database, accountId: number, collectionId: number, selection: LotSelection) {
  const { rows } = await sql<{ lots: number; units: number; value: number | null }>`
    select count(*) as lots, coalesce(sum(lot.quantity), 0) as units,
           sum(lot.quantity::bigint * lot.value_cents)::bigint as value
      from portfolio.lot_item lot
     where ${lotConditions(accountId, collectionId, selection)}`.execute(db)
  return rows[0]!
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
    select lot.id, lot.collection_id, collection.name as collection, lot.quantity, lot.condition, lot.status, lot.purchase_price_cents,
           lot.purchase_date
      from portfolio.lot
      join portfolio.collection on collection.account_id = lot.account_id and collection.id = lot.collection_id
     where lot.account_id = ${accountId} and lot.set_number = ${setNumber} and lot.quantity > 0
     order by lot.purchase_date nulls first, lot.id`.execute(db)
  return rows
}

/** Returns how many copies of each of these sets the account holds, in all collections. Sets it doesn't hold are missing. */
export async function countCopies(db: Database, accountId: number, numbers: string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ set_number: string; copies: number }>`
    select set_number, sum(quantity) as copies
      from portfolio.lot
     where account_id = ${accountId} and set_number = any(${numbers}::text[]) and quantity > 0
     group by set_number`.execute(db)
  return new Map(rows.map(({ set_number, copies }) => [set_number, copies]))
}

/** Returns a lot of a collection with the title of its set; undefined if the collection doesn't have it. */
export async function findLot(db: Database, accountId: number, collectionId: number, lotId: number) {
  const { rows } = await sql<{
    title: string
    quantity: number
    condition: Condition
    status: LotStatus
    purchase_date: string | null
  }>`
    select s.title, lot.quantity, lot.condition, lot.status, lot.purchase_date
      from portfolio.lot
      join catalog.set s using (set_number)
     where lot.account_id = ${accountId} and lot.collection_id = ${collectionId} and lot.id = ${lotId}
       and lot.quantity > 0`.execute(db)
  return rows[0]
}
