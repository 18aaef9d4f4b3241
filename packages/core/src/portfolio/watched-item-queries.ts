import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { WatchedKind } from './watched-item.ts'

/**
 * A watched item with its price in cents: of a set the lowest at which a retailer has it in stock, of a minifig its value if
 * that rests on enough sales.
 */
export type WatchedItem = {
  kind: WatchedKind
  number: string
  title: string
  theme: string
  release_date: string | null
  release_year: number | null
  retire_date: string | null
  target_cents: number | null
  price_cents: number | null
  retailer: string | null
  change_cents: number | null
  changed_at: Date | null
  value_cents: number | null
  created_at: Date
  /** Of the target: its alert rule, since when it is what it is, when it last caused an alert, and whether that is paused. */
  rule_id: number | null
  target_set_at: Date | null
  alerted_at: Date | null
  is_paused: boolean | null
}

const TARGET_COLUMNS = sql`target.id as rule_id, target.created_at as target_set_at, target.is_paused, (
             select a.at from alert.alert a
              where a.account_id = w.account_id and a.rule_id = target.id
              order by a.change_id desc limit 1) as alerted_at`
const JOIN_TARGET = sql`
      left join alert.rule target on target.account_id = w.account_id and target.watched_item_id = w.id`

/** Returns everything the account watches, latest first. */
export async function findWatchedItems(db: Database, accountId: number): Promise<WatchedItem[]> {
  const { rows } = await sql<WatchedItem>`
    select 'set' as kind, s.set_number as number, s.title, s.theme, s.release_date, s.release_year, s.retire_date, w.target_cents,
           best.price_cents, best.name as retailer, best.last_change_cents as change_cents, best.changed_at,
           v.value_cents, w.created_at, w.id, ${TARGET_COLUMNS}
      from portfolio.watched_item w
      join catalog.set s using (set_number)
      left join market.set_value v on v.set_number = s.set_number and v.condition = 'sealed'
      left join lateral (
        select r.price_cents, r.last_change_cents, r.changed_at, retailer.name
          from market.retail_state r
          join catalog.retailer retailer using (retailer)
         where r.set_number = s.set_number and r.in_stock and r.price_cents is not null
         order by r.price_cents, r.retailer
         limit 1
      ) best on true
      ${JOIN_TARGET}
     where w.account_id = ${accountId}
    union all
    select 'minifig', m.minifig_number, m.name, coalesce(m.category, ''), null, null, null, w.target_cents,
           case v.data_tier when 'market' then v.value_cents end, null, null, null, v.value_cents, w.created_at, w.id, ${TARGET_COLUMNS}
      from portfolio.watched_item w
      join catalog.minifig m using (minifig_number)
      left join market.minifig_value v using (minifig_number)
      ${JOIN_TARGET}
     where w.account_id = ${accountId}
     order by created_at desc, id desc`.execute(db)
  return rows
}

/** Returns whether the account watches this item. */
export async function isWatched(db: Database, accountId: number, kind: WatchedKind, number: string): Promise<boolean> {
  const found = await db
    .selectFrom('portfolio.watched_item')
    .select('id')
    .where('account_id', '=', accountId)
    .where(kind === 'set' ? 'set_number' : 'minifig_number', '=', number)
    .executeTakeFirst()
  return found !== undefined
}

/** Returns which of these sets the account watches. */
export async function findWatchedSets(db: Database, accountId: number, numbers: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('portfolio.watched_item')
    .select('set_number')
    .where('account_id', '=', accountId)
    .where(sql<boolean>`set_number = any(${numbers}::text[])`)
    .execute()
  return new Set(rows.map((row) => row.set_number!))
}
