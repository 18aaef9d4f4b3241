import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

/** What a key was charged and asked on one day ('YYYY-MM-DD'); requests by status. */
export type DailyUsage = {
  day: string
  keyId: number
  keyName: string
  units: number
  requests: Record<string, number>
}

/**
 * Returns usage per key and day for the last `days` days including today: the cost charged, which is what is billed,
 * and the requests by status. Days without usage are omitted.
 */
export async function findUsage(db: Database, accountId: number, days: number): Promise<DailyUsage[]> {
  // Passed as values, so that the planner skips all other partitions.
  const { rows: period } = await sql<{ first: string; last: string }>`
    select (now() at time zone 'utc')::date - ${days}::integer + 1 as first, (now() at time zone 'utc')::date as last`.execute(
    db,
  )
  const { first, last } = period[0]!
  const { rows } = await sql<DailyUsage>`
    with asked as (
      select u.api_key_id, u.day, jsonb_object_agg(u.status, u.requests) as requests
        from account.api_key_usage u
       where u.account_id = ${accountId} and u.day between ${first}::date and ${last}::date
       group by u.api_key_id, u.day
    ),
    charged as (
      select q.api_key_id, q.day, q.used
        from account.api_key_quota q
       where q.account_id = ${accountId} and q.day between ${first}::date and ${last}::date
       union all
      select h.api_key_id, h.day, h.used
        from account.api_key_quota_history h
       where h.account_id = ${accountId} and h.day between ${first}::date and ${last}::date
    )
    select day, api_key_id as "keyId", k.name as "keyName", coalesce(c.used, 0) as units, coalesce(a.requests, '{}') as requests
      from charged c
      full join asked a using (api_key_id, day)
      join account.api_key k on k.account_id = ${accountId} and k.id = api_key_id
     order by day, api_key_id`.execute(db)
  return rows
}

/** Returns the account's plan and the database's current time, which defines when quota days begin and end. */
export async function findPlanAndReset(db: Database, accountId: number) {
  const { rows } = await sql<{ plan: string; api_access: boolean; daily_limit: number; now: Date; resets_at: Date }>`
    select p.plan, p.api_access, p.daily_limit, now() as now,
           ((now() at time zone 'utc')::date + 1)::timestamp at time zone 'utc' as resets_at
      from account.account a join account.plan p on p.plan = a.plan
     where a.id = ${accountId}`.execute(db)
  return rows[0]!
}
