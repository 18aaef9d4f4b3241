import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

/**
 * Records activity in a session. After `idleMinutes` without activity it no longer updates `updated_at`, which then
 * marks the last activity until the user signs in again.
 */
export async function touchSession(db: Database, token: string, idleMinutes: number): Promise<void> {
  await db
    .updateTable('auth.session')
    .set({ updated_at: sql`now()` })
    .where('token', '=', token)
    .where('updated_at', '>', sql<Date>`now() - make_interval(mins => ${idleMinutes})`)
    .execute()
}

export async function endSession(db: Database, token: string): Promise<void> {
  await db.deleteFrom('auth.session').where('token', '=', token).execute()
}

/** Days after which a device that isn't used any more is forgotten. */
const DEVICE_DAYS = 365

/**
 * Deletes expired sessions and verification secrets, counters that no limit uses any more, forgotten devices, and
 * accounts whose address was not confirmed within two days.
 */
export async function deleteExpiredAuthRows(
  db: Database,
): Promise<{ sessions: number; secrets: number; counters: number; devices: number; accounts: number }> {
  const now = sql<Date>`now()`
  const sessions = await db.deleteFrom('auth.session').where('expires_at', '<', now).executeTakeFirst()
  const secrets = await db.deleteFrom('auth.verification').where('expires_at', '<', now).executeTakeFirst()
  const rateLimits = await db
    .deleteFrom('auth.rate_limit')
    .where('last_request', '<', sql<number>`(extract(epoch from now() - interval '1 day') * 1000)::bigint`)
    .executeTakeFirst()
  const attempts = await db
    .deleteFrom('auth.attempt')
    .where('expire', '<', sql<number>`(extract(epoch from now()) * 1000)::bigint`)
    .executeTakeFirst()
  const devices = await db
    .deleteFrom('auth.known_device')
    .where('last_used_at', '<', sql<Date>`now() - make_interval(days => ${DEVICE_DAYS})`)
    .executeTakeFirst()
  const { rows } = await sql<{ accounts: number }>`select auth.delete_unconfirmed_accounts(null) as accounts`.execute(
    db,
  )
  return {
    sessions: Number(sessions.numDeletedRows),
    secrets: Number(secrets.numDeletedRows),
    counters: Number(rateLimits.numDeletedRows) + Number(attempts.numDeletedRows),
    devices: Number(devices.numDeletedRows),
    accounts: rows[0]!.accounts,
  }
}
