import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Condition } from '../catalog/condition.ts'
import { ALERT_READER, type Change, type PublishedValue, type RetailOffer, type SetStatusName } from './change.ts'

/** The position of a reader: everything up to and including this change has been read. */
export type Cursor = { transactionId: string; changeId: number }

type OfferColumns = {
  price_cents: number | null
  in_stock: boolean | null
  seller_type: RetailOffer['sellerType']
  lowest_cents: number | null
}
type ValueColumns = { value_cents: number | null; data_tier: PublishedValue['tier'] }

type ChangeRow = {
  transaction_id: string
  id: number
  at: Date
  at_us: number
  item_kind: Change['itemKind']
  item_number: string
} & (
  | { kind: 'retail'; before: OfferColumns | null; after: OfferColumns & ValueColumns & { retailer: string } }
  | {
      kind: 'value'
      before: ValueColumns | null
      after: ValueColumns & { condition: Condition; offers: Record<string, number> }
    }
  | { kind: 'status'; before: { status: SetStatusName }; after: { status: SetStatusName } }
)

/**
 * Returns the next changes after a cursor, oldest first, and the cursor after them. Changes of transactions that may still
 * commit together with earlier ones come later, so that none is skipped.
 */
export async function findChanges(
  db: Database,
  { transactionId, changeId }: Cursor,
  limit: number,
): Promise<{ changes: Change[]; cursor: Cursor }> {
  const { rows } = await sql<ChangeRow>`
    select transaction_id::text as transaction_id, id, at, (extract(epoch from at) * 1000000)::bigint as at_us, kind,
           item_kind, item_number, before, after
      from change.change
     where (transaction_id, id) > (${transactionId}::xid8, ${changeId})
       and transaction_id < pg_snapshot_xmin(pg_current_snapshot())
     order by change.transaction_id, change.id
     limit ${limit}`.execute(db)
  const last = rows.at(-1)
  return {
    changes: rows.map(toChange),
    cursor:
      last === undefined ? { transactionId, changeId } : { transactionId: last.transaction_id, changeId: last.id },
  }
}

/** Says that an item changed. Its current data is in the catalog. */
export type ChangeNotice = { at: Date; kind: Change['kind']; itemKind: Change['itemKind']; itemNumber: string }

/** A change is announced this long after it was recorded, so that every API process serves it by then. */
const ANNOUNCED_AFTER_MS = 60_000

/** Returns a cursor after every change that is already served, for a reader that is about to load everything. */
export async function findCurrentCursor(db: Database): Promise<Cursor> {
  const { rows } = await sql<{ xmin: string }>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as xmin`.execute(db)
  return { transactionId: rows[0]!.xmin, changeId: 0 }
}

/** Whether a cursor is ahead of the database: of a standby for a moment, or, after a restore from a dump, for good. */
export async function isAhead(db: Database, { transactionId }: Cursor): Promise<boolean> {
  const { transactionId: current } = await findCurrentCursor(db)
  return BigInt(transactionId) > BigInt(current)
}

/** Like `findChanges`, without what changed, for readers that look it up in the catalog. */
export async function findChangeNotices(
  db: Database,
  { transactionId, changeId }: Cursor,
  limit: number,
  now: Date,
): Promise<{ notices: ChangeNotice[]; cursor: Cursor; hasMore: boolean }> {
  const { rows } = await sql<{
    transaction_id: string
    id: number
    at: Date
    kind: Change['kind']
    item_kind: Change['itemKind']
    item_number: string
  }>`
    select transaction_id::text as transaction_id, id, at, kind, item_kind, item_number
      from change.change
     where (transaction_id, id) > (${transactionId}::xid8, ${changeId})
       and change.transaction_id < pg_snapshot_xmin(pg_current_snapshot())
     order by change.transaction_id, change.id
     limit ${limit + 1}`.execute(db)
  // Ordered by transaction, not by time: what follows a change that is too recent waits with it.
  const firstRecent = rows.findIndex(({ at }) => now.getTime() - at.getTime() < ANNOUNCED_AFTER_MS)
  const announced = (firstRecent === -1 ? rows : rows.slice(0, firstRecent)).slice(0, limit)
  const last = announced.at(-1)
  return {
    notices: announced.map(({ at, kind, item_kind, item_number }) => ({
      at,
      kind,
      itemKind: item_kind,
      itemNumber: item_number,
    })),
    cursor:
      last === undefined ? { transactionId, changeId } : { transactionId: last.transaction_id, changeId: last.id },
    hasMore: announced.length === limit && rows.length > limit && firstRecent !== limit,
  }
}

function toChange(row: ChangeRow): Change {
  const base = { id: row.id, at: row.at, atUs: row.at_us, itemKind: row.item_kind, itemNumber: row.item_number }
  if (row.kind === 'retail')
    return {
      ...base,
      kind: 'retail',
      retailer: row.after.retailer,
      before: row.before && toOffer(row.before),
      after: toOffer(row.after),
      sealedValue: toValue(row.after),
    }
  if (row.kind === 'value')
    return {
      ...base,
      kind: 'value',
      condition: row.after.condition,
      before: row.before && toValue(row.before),
      after: toValue(row.after),
      offers: new Map(Object.entries(row.after.offers)),
    }
  return { ...base, kind: 'status', before: row.before.status, after: row.after.status }
}

function toOffer({ price_cents, in_stock, seller_type, lowest_cents }: OfferColumns): RetailOffer {
  return { price: price_cents, inStock: in_stock, sellerType: seller_type, lowest: lowest_cents }
}

function toValue({ value_cents, data_tier }: ValueColumns): PublishedValue {
  return { value: value_cents, tier: data_tier }
}

/** Returns the age in seconds of the oldest change that alert rules haven't been applied to; 0 if there is none. */
export async function findAlertLag(db: Database): Promise<number> {
  const { rows } = await sql<{ lag: number }>`
    select coalesce(extract(epoch from clock_timestamp() - min(next.at)), 0)::float8 as lag
      from change.cursor
     cross join lateral (
       select at from change.change
        where (transaction_id, id) > (cursor.transaction_id, cursor.change_id)
        order by transaction_id, id limit 1) as next
     where reader = ${ALERT_READER}`.execute(db)
  return rows[0]!.lag
}

/**
 * Returns the values that sets (sealed) and minifigs had 30 days before a time, in cents, by number: what the first change
 * since then replaced. Items without a known value then are left out.
 */
export async function findValuesMonthAgo(
  db: Database,
  numbers: readonly string[],
  at: Date,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ item_number: string; value_cents: number | null }>`
    select distinct on (item_number) item_number, (before ->> 'value_cents')::integer as value_cents
      from change.change
     where item_number = any (${numbers}) and kind = 'value' and at >= ${at}::timestamptz - interval '30 days'
       and (item_kind = 'minifig' or after ->> 'condition' = 'sealed')
     order by item_number, at, id`.execute(db)
  return new Map(
    rows.flatMap(({ item_number, value_cents }) => (value_cents === null ? [] : [[item_number, value_cents] as const])),
  )
}

/**
 * Returns how many values are published, and how many of those published a day ago have moved by more than a share since,
 * or are gone.
 */
export async function findMovedValues(db: Database, minShare: number): Promise<{ values: number; moved: number }> {
  const { rows } = await sql<{ values: number; moved: number }>`
    with value as (
      select 'set' as item_kind, set_number as item_number, condition, value_cents from market.set_value
       union all
      select 'minifig', minifig_number, 'used', value_cents from market.minifig_value),
    yesterday as (
      select distinct on (item_kind, item_number, after ->> 'condition')
             item_kind, item_number, after ->> 'condition' as condition, (before ->> 'value_cents')::integer as value_cents
        from change.change
       where kind = 'value' and day >= (now() at time zone 'utc')::date - 1 and at > now() - interval '24 hours'
       order by item_kind, item_number, after ->> 'condition', transaction_id, id)
    select (select count(value_cents) from value) as values,
           count(*) filter (where yesterday.value_cents is not null
             and (value.value_cents is null
               or abs(value.value_cents - yesterday.value_cents) > ${minShare}::float8 * yesterday.value_cents)) as moved
      from yesterday left join value using (item_kind, item_number, condition)`.execute(db)
  return rows[0]!
}
