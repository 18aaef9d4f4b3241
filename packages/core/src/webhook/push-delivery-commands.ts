import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { toAttemptRows, type EndpointId, type RecordedAttempt } from './delivery-commands.ts'
import type { WebhookEvent } from './event.ts'

/** An event to push, with where to send it and what to encrypt it with. */
export type DuePush = WebhookEvent & { attempts: number; url: string; p256dh: Buffer; auth: Buffer }

/** Claims browsers with events that are due. No other worker gets them for `leaseSeconds`. */
export async function claimPushSubscriptions(
  db: Database,
  maxSubscriptions: number,
  leaseSeconds: number,
): Promise<EndpointId[]> {
  const { rows } = await sql<EndpointId>`
    select account_id as "accountId", endpoint_id as "endpointId"
      from webhook.claim_push_subscriptions(${maxSubscriptions}, make_interval(secs => ${leaseSeconds}))`.execute(db)
  return rows
}

/** Returns the events that are due at a browser, oldest first. */
export async function findDuePushes(
  db: Database,
  { accountId, endpointId }: EndpointId,
  limit: number,
): Promise<DuePush[]> {
  const { rows } = await sql<Omit<DuePush, 'id'> & { event_id: string }>`
    select event_id, at, type, data, attempts, url, p256dh, auth
      from webhook.find_due_pushes(${accountId}, ${endpointId}, ${limit})`.execute(db)
  return rows.map(({ event_id, ...push }) => ({ ...push, id: event_id }))
}

/** Saves attempts with what follows from them. Nothing more is sent to the browser for `pauseSeconds`. */
export async function recordPushes(
  db: Database,
  { accountId, endpointId }: EndpointId,
  attempts: readonly RecordedAttempt[],
  pauseSeconds: number,
): Promise<void> {
  await sql`
    select webhook.record_pushes(${accountId}, ${endpointId}, ${toAttemptRows(attempts)},
      make_interval(secs => ${pauseSeconds}))`.execute(db)
}

/** Deletes a subscription that no longer exists in its browser. */
export async function deleteGoneSubscription(db: Database, { accountId, endpointId }: EndpointId): Promise<void> {
  await sql`select webhook.delete_push_subscription(${accountId}, ${endpointId})`.execute(db)
}
