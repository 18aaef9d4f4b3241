import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { IS_BROWSER } from './endpoint-queries.ts'
import { TEST_EVENT } from './event.ts'

const SALT_BYTES = 16
/** How long messages are signed with the old secret too after a rotation. */
const ROTATION_HOURS = 24
export const MAX_ENDPOINTS = 5

/** Adds an endpoint. Returns undefined if the account has as many as it may have. */
export async function addEndpoint(db: Database, accountId: number, url: string): Promise<number | undefined> {
  // So that two requests don't both add the last one.
  await sql`select pg_advisory_xact_lock(hashtextextended('webhook endpoints', ${accountId}))`.execute(db)
  const { rows } = await sql<{ id: number }>`
    insert into webhook.endpoint (account_id, url, salt)
    select ${accountId}, ${url}, ${randomBytes(SALT_BYTES)}
     where (select count(*) from webhook.endpoint e where account_id = ${accountId} and not ${IS_BROWSER}) < ${MAX_ENDPOINTS}
    returning id`.execute(db)
  return rows[0]?.id
}

export async function deleteEndpoint(db: Database, accountId: number, endpointId: number): Promise<void> {
  await sql`delete from webhook.endpoint where account_id = ${accountId} and id = ${endpointId}`.execute(db)
}

/** Gives an endpoint a new secret. The old one signs messages too for 24 hours. */
export async function rotateSecret(db: Database, accountId: number, endpointId: number): Promise<void> {
  await sql`
    update webhook.endpoint
       set old_salt = salt, old_salt_until = now() + make_interval(hours => ${ROTATION_HOURS}), salt = ${randomBytes(SALT_BYTES)}
     where account_id = ${accountId} and id = ${endpointId}`.execute(db)
}

/** Disables an endpoint, or enables it again; it then gets what was waiting. */
export async function enableEndpoint(
  db: Database,
  accountId: number,
  endpointId: number,
  isEnabled: boolean,
): Promise<void> {
  await sql`
    update webhook.endpoint
       set disabled_at = ${isEnabled ? null : sql`now()`}, disabled_reason = ${isEnabled ? null : 'owner'}
     where account_id = ${accountId} and id = ${endpointId}`.execute(db)
}

/** Sends an event without content to an endpoint. */
export async function sendTestEvent(db: Database, accountId: number, endpointId: number): Promise<void> {
  await sql`
    with event as (
      insert into webhook.event (account_id, type, data)
      select ${accountId}, ${TEST_EVENT}, '{}' from webhook.endpoint where account_id = ${accountId} and id = ${endpointId}
      returning account_id, id
    )
    insert into webhook.delivery (account_id, event_id, endpoint_id)
    select account_id, id, ${endpointId} from event`.execute(db)
  await makeDue(db, accountId, endpointId)
}

/** Sends an event to an endpoint again, with all attempts that a new event has. */
export async function replayDelivery(
  db: Database,
  accountId: number,
  endpointId: number,
  eventId: string,
): Promise<void> {
  await sql`
    update webhook.delivery set status = 'waiting', attempts = 0, next_attempt_at = now()
     where account_id = ${accountId} and endpoint_id = ${endpointId} and event_id = ${eventId}`.execute(db)
  await makeDue(db, accountId, endpointId)
}

async function makeDue(db: Database, accountId: number, endpointId: number): Promise<void> {
  await sql`
    update webhook.endpoint set next_attempt_at = least(next_attempt_at, now())
     where account_id = ${accountId} and id = ${endpointId}`.execute(db)
}
