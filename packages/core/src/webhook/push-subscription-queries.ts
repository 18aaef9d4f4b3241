import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

/** A browser that gets notifications. */
export type PushSubscription = {
  id: number
  url: string
  /** The user agent. */
  client: string
  createdAt: Date
  /** When its push service last took a message. */
  lastSuccessAt: Date | null
}

/** Returns the account's browsers, oldest first. */
export async function findPushSubscriptions(db: Database, accountId: number): Promise<PushSubscription[]> {
  const { rows } = await sql<PushSubscription>`
    select e.id, e.url, p.client, e.created_at as "createdAt", p.last_success_at as "lastSuccessAt"
      from webhook.push_subscription p
      join webhook.endpoint e on e.account_id = p.account_id and e.id = p.endpoint_id
     where p.account_id = ${accountId}
     order by e.id`.execute(db)
  return rows
}

/** Returns how many browsers have events due, and for how many seconds the first of them has waited. */
export async function findPushBacklog(db: Database): Promise<{ subscriptions: number; oldestSeconds: number }> {
  const { rows } = await sql<{ subscriptions: number; oldestSeconds: number }>`
    select subscriptions, oldest_seconds as "oldestSeconds" from webhook.push_backlog()`.execute(db)
  return rows[0]!
}
