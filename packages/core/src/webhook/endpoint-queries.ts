import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

export type Endpoint = {
  id: number
  url: string
  createdAt: Date
  /** Null while it is enabled. `gone`: it answered 410. */
  disabledReason: 'owner' | 'gone' | null
  salt: Buffer
  /** Until then, messages are also signed with the previous secret. */
  oldSecretUntil: Date | null
  /** Deliveries that wait or have failed for good, of the last 30 days. */
  waiting: number
  failed: number
}

/** True for endpoints `e` that are browsers: people manage those with their email settings. */
export const IS_BROWSER = sql`exists (
  select from webhook.push_subscription p where p.account_id = e.account_id and p.endpoint_id = e.id)`

/** Returns the account's endpoints, oldest first, without browsers. */
export async function findEndpoints(db: Database, accountId: number): Promise<Endpoint[]> {
  const { rows } = await sql<Endpoint>`
    select e.id, e.url, e.created_at as "createdAt", e.disabled_reason as "disabledReason", e.salt,
           case when e.old_salt_until > now() then e.old_salt_until end as "oldSecretUntil",
           count(*) filter (where d.status = 'waiting') as waiting, count(*) filter (where d.status = 'failed') as failed
      from webhook.endpoint e
      left join webhook.delivery d on d.account_id = e.account_id and d.endpoint_id = e.id and d.status <> 'delivered'
     where e.account_id = ${accountId} and not ${IS_BROWSER}
     group by e.account_id, e.id
     order by e.id`.execute(db)
  return rows
}
