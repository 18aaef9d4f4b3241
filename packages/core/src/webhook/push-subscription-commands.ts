import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

/** What a browser gives to whoever may push to it. */
export type NewPushSubscription = {
  url: string
  p256dh: Buffer
  auth: Buffer
  /** The user agent. */
  client: string
  deviceHash: Buffer | undefined
}

export const MAX_PUSH_SUBSCRIPTIONS = 10

/** Adds a browser, or updates one that is known. Returns false if the account has as many as it may have. */
export async function addPushSubscription(
  db: Database,
  accountId: number,
  { url, p256dh, auth, client, deviceHash }: NewPushSubscription,
): Promise<boolean> {
  // So that two requests don't both add the last one, or the same one twice.
  await sql`select pg_advisory_xact_lock(hashtextextended('push subscriptions', ${accountId}))`.execute(db)
  const { numAffectedRows: updated } = await sql`
    update webhook.push_subscription p set p256dh = ${p256dh}, auth = ${auth}, client = ${client}, device_hash = ${deviceHash ?? null}
      from webhook.endpoint e
     where p.account_id = ${accountId} and e.account_id = p.account_id and e.id = p.endpoint_id and e.url = ${url}`.execute(
    db,
  )
  if (Number(updated) > 0) return true
  const { numAffectedRows: added } = await sql`
    with endpoint as (
      -- Messages are signed with a key of ours, not with a secret of the endpoint.
      insert into webhook.endpoint (account_id, url, salt)
      select ${accountId}, ${url}, ''
       where (select count(*) from webhook.push_subscription where account_id = ${accountId}) < ${MAX_PUSH_SUBSCRIPTIONS}
      returning account_id, id
    )
    insert into webhook.push_subscription (account_id, endpoint_id, p256dh, auth, client, device_hash)
    select account_id, id, ${p256dh}, ${auth}, ${client}, ${deviceHash ?? null} from endpoint`.execute(db)
  return Number(added) > 0
}

/** Turns notifications off for one browser. */
export async function deletePushSubscription(db: Database, accountId: number, id: number): Promise<void> {
  await deleteWhere(db, accountId, sql`p.endpoint_id = ${id}`)
}

/** Turns notifications off for a browser that is signed out. */
export async function deleteDevicePush(db: Database, accountId: number, deviceHash: Buffer): Promise<void> {
  await deleteWhere(db, accountId, sql`p.device_hash = ${deviceHash}`)
}

/** Turns notifications off for all browsers, or all but one. */
export async function deleteAllPush(db: Database, accountId: number, exceptDevice?: Buffer): Promise<void> {
  await deleteWhere(
    db,
    accountId,
    exceptDevice === undefined ? sql`true` : sql`p.device_hash is distinct from ${exceptDevice}`,
  )
}

async function deleteWhere(db: Database, accountId: number, condition: ReturnType<typeof sql>): Promise<void> {
  await sql`
    delete from webhook.endpoint e using webhook.push_subscription p
     where e.account_id = ${accountId} and p.account_id = e.account_id and p.endpoint_id = e.id and ${condition}`.execute(
    db,
  )
}
