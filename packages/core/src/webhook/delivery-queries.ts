import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Attempt } from './delivery.ts'
import type { WebhookEvent } from './event.ts'

type DeliveryStatus = 'waiting' | 'delivered' | 'failed'

/** A delivery with its event and all attempts, latest first. */
export type Delivery = {
  event: WebhookEvent
  status: DeliveryStatus
  /** Null unless it waits. */
  nextAttemptAt: Date | null
  attempts: Attempt[]
}

/** Returns the latest deliveries to an endpoint. */
export async function findDeliveries(
  db: Database,
  accountId: number,
  endpointId: number,
  limit: number,
): Promise<Delivery[]> {
  const { rows } = await sql<{
    event: Omit<WebhookEvent, 'at'>
    at: Date
    status: DeliveryStatus
    next_attempt_at: Date | null
    attempts: (Omit<Attempt, 'at'> & { at: string })[]
  }>`
    select jsonb_build_object('id', v.id, 'type', v.type, 'data', v.data) as event, v.at, d.status, d.next_attempt_at,
           coalesce((select jsonb_agg(jsonb_build_object('at', a.at, 'durationMs', a.duration_ms, 'statusCode', a.status_code,
                       'response', a.response) order by a.at desc)
                       from webhook.attempt a
                      where a.account_id = d.account_id and a.event_id = d.event_id and a.endpoint_id = d.endpoint_id),
                    '[]') as attempts
      from webhook.delivery d
      join webhook.event v on v.account_id = d.account_id and v.id = d.event_id
     where d.account_id = ${accountId} and d.endpoint_id = ${endpointId}
     order by d.at desc, d.event_id
     limit ${limit}`.execute(db)
  return rows.map(({ event, at, status, next_attempt_at, attempts }) => ({
    event: { ...event, at },
    status,
    nextAttemptAt: next_attempt_at,
    attempts: attempts.map((attempt) => ({ ...attempt, at: new Date(attempt.at) })),
  }))
}

/** Returns how many endpoints have deliveries due, and for how many seconds the first of them has waited. */
export async function findWebhookBacklog(db: Database): Promise<{ endpoints: number; oldestSeconds: number }> {
  const { rows } = await sql<{ endpoints: number; oldestSeconds: number }>`
    select endpoints, oldest_seconds as "oldestSeconds" from webhook.backlog()`.execute(db)
  return rows[0]!
}
