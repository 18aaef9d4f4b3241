import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { AlertFacts, RuleKind } from './rule.ts'

/** An alert with the title of its item and the name of the retailer, null if it is about a value or a status. */
export type Alert = {
  id: number
  at: Date
  kind: RuleKind
  itemKind: 'set' | 'minifig'
  itemNumber: string
  title: string
  retailer: string | null
  facts: AlertFacts
}

/** Returns a page of an account's alerts, latest first, whether there are more, and up to which they have been read. */
export async function findAlerts(
  db: Database,
  accountId: number,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ alerts: Alert[]; hasMore: boolean; readTo: number }> {
  const { rows } = await sql<Alert>`
    select a.id, a.at, a.kind, a.item_kind as "itemKind", a.item_number as "itemNumber", r.name as retailer, a.facts,
           coalesce(s.title, m.name, a.item_number) as title
      from alert.alert a
      left join catalog.set s on a.item_kind = 'set' and s.set_number = a.item_number
      left join catalog.minifig m on a.item_kind = 'minifig' and m.minifig_number = a.item_number
      left join catalog.retailer r on r.retailer = a.retailer
     where a.account_id = ${accountId}
     order by a.at desc, a.id desc
     limit ${limit + 1} offset ${offset}`.execute(db)
  return { alerts: rows.slice(0, limit), hasMore: rows.length > limit, readTo: await findReadTo(db, accountId) }
}

export async function countAlerts(db: Database, accountId: number): Promise<number> {
  const { count } = await db
    .selectFrom('alert.alert')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return count
}

/** Returns up to which alert the account has read. */
async function findReadTo(db: Database, accountId: number): Promise<number> {
  const row = await db
    .selectFrom('alert.inbox')
    .select('read_to')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row?.read_to ?? 0
}

/** Counts the alerts that the account hasn't read, up to `max`. */
export async function countUnreadAlerts(db: Database, accountId: number, max: number): Promise<number> {
  const { rows } = await sql<{ unread: number }>`
    select count(*)::integer as unread from (
      select from alert.alert a
       where a.account_id = ${accountId}
         and a.id > coalesce((select read_to from alert.inbox where account_id = ${accountId}), 0)
       limit ${max}) unread`.execute(db)
  return rows[0]!.unread
}

/** Returns how many alerts of today the account didn't get because of its plan, and how many a day the plan includes. */
export async function findDailyAlerts(db: Database, accountId: number): Promise<{ leftOut: number; max: number }> {
  const { rows } = await sql<{ leftOut: number; max: number }>`
    select coalesce(t.left_out, 0) as "leftOut", p.max_alerts_per_day as max
      from account.account a
      join account.plan p on p.plan = a.plan
      left join alert.daily_total t on t.account_id = a.id and t.day = (now() at time zone 'utc')::date
     where a.id = ${accountId}`.execute(db)
  return rows[0]!
}
