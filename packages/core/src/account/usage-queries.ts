import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

export type UsageRow = {
  day: string
  key_id: number
  key_name: string
  units: number
  requests: Record<string, number>
}

/**
 * Returns usage per key and day for the last `days` days including today: the cost charged, which is what is billed,
 * and the requests by status. Days without usage are omitted.
 */
export async function findUsage(db: Database, accountId: number, days: number) {
  const { rows } = await sql<UsageRow>`
    with first as (select (now() at time zone 'utc')::date - ${days}::integer + 1 as day),
    asked as (
      select u.key_id, u.day, jsonb_object_agg(u.status, u.requests) as requests
        from account.usage_day u, first
       where u.account_id = ${accountId} and u.day >= first.day
       group by u.key_id, u.day
    ),
    charged as (
      select q.key_id, q.day, q.used
        from account.quota_day q, first
       where q.account_id = ${accountId} and q.day >= first.day
    )
    select day, key_id, k.name as key_name, coalesce(c.used, 0) as units, coalesce(a.requests, '{}') as requests
      from charged c
      full join asked a using (key_id, day)
      join account.api_key k on k.account_id = ${accountId} and k.id = key_id
     order by day, key_id`.execute(db)
  return rows
}

/** Returns the account's plan and the database's current time, which defines when quota days begin and end. */
export async function findPlanAndReset(db: Database, accountId: number) {
  const { rows } = await sql<{ plan: string; api_access: boolean; daily_limit: number; now: Date; resets_at: Date }>`
    select p.plan, p.api_access, p.daily_limit, now() as now,
           ((now() at time zone 'utc')::date + 1)::timestamp at time zone 'utc' as resets_at
      from account.account a join account.plan p on p.plan = a.plan
     where a.account_id = ${accountId}`.execute(db)
  return rows[0]!
}
