import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { deleteInBatches } from '../db/delete-in-batches.ts'
import { toJsonb } from '../primitives/jsonb.ts'
import type { Attempt, Outcome } from './delivery.ts'
import type { WebhookEvent } from './event.ts'

export type EndpointId = { accountId: number; endpointId: number }

/** A message to send, with where to send it. Salts are those of the secrets that sign it. */
export type DueDelivery = WebhookEvent & { attempts: number; url: string; salts: Buffer[] }

/** Claims endpoints with deliveries that are due. No other worker gets them for `leaseSeconds`. */
export async function claimEndpoints(db: Database, maxEndpoints: number, leaseSeconds: number): Promise<EndpointId[]> {
  const { rows } = await sql<EndpointId>`
    select account_id as "accountId", endpoint_id as "endpointId"
      from webhook.claim_endpoints(${maxEndpoints}, make_interval(secs => ${leaseSeconds}))`.execute(db)
  return rows
}

export async function findDueDeliveries(
  db: Database,
  { accountId, endpointId }: EndpointId,
  limit: number,
): Promise<DueDelivery[]> {
  const { rows } = await sql<
    Omit<DueDelivery, 'id' | 'salts'> & { event_id: string; salt: Buffer; old_salt: Buffer | null }
  >`
    select event_id, at, type, data, attempts, url, salt, old_salt
      from webhook.find_due_deliveries(${accountId}, ${endpointId}, ${limit})`.execute(db)
  return rows.map(({ event_id, salt, old_salt, ...delivery }) => ({
    ...delivery,
    id: event_id,
    salts: old_salt === null ? [salt] : [salt, old_salt],
  }))
}

/** Saves attempts with what follows from them. */
export async function recordAttempts(
  db: Database,
  { accountId, endpointId }: EndpointId,
  attempts: readonly RecordedAttempt[],
): Promise<void> {
  await sql`select webhook.record_attempts(${accountId}, ${endpointId}, ${toAttemptRows(attempts)})`.execute(db)
}

/** An attempt to deliver an event, with what follows from it. */
export type RecordedAttempt = Attempt & { eventId: string; outcome: Outcome }

export function toAttemptRows(attempts: readonly RecordedAttempt[]) {
  return toJsonb(
    attempts.map(({ eventId, at, durationMs, statusCode, response, outcome }) => ({
      event_id: eventId,
      at,
      duration_ms: durationMs,
      status_code: statusCode,
      response,
      status: outcome.status,
      retry_in_seconds: outcome.status === 'waiting' ? outcome.retryInSeconds : null,
    })),
  )
}

/** Ends a claim. The endpoint isn't claimed again for `pauseSeconds`. */
export async function releaseEndpoint(
  db: Database,
  { accountId, endpointId }: EndpointId,
  pauseSeconds: number,
): Promise<void> {
  await sql`
    select webhook.release_endpoint(${accountId}, ${endpointId}, make_interval(secs => ${pauseSeconds}))`.execute(db)
}

/** Deletes events after 30 days and returns their number. */
export function deleteOldEvents(db: Database): Promise<number> {
  return deleteInBatches(db, 'webhook.delete_old_events')
}
