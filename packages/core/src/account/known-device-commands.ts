import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

/**
 * Remembers a device that its user has just signed in with. Returns 'first' for the user's first device, 'new' for
 * another one and 'known' otherwise. A new device appears in the account's audit log.
 */
export async function rememberDevice(
  db: Database,
  userId: string,
  deviceHash: Buffer,
  client: string | null,
): Promise<'first' | 'new' | 'known'> {
  const { rows } = await sql<{ created: boolean; others: boolean }>`
    insert into auth.known_device (user_id, device_hash, client) values (${userId}, ${deviceHash}, ${client})
    on conflict (user_id, device_hash) do update set last_used_at = now(), client = excluded.client
    returning xmax = 0 as created,
              exists (select from auth.known_device where user_id = ${userId} and device_hash <> ${deviceHash}) as others`.execute(
    db,
  )
  const { created, others } = rows[0]!
  if (!created) return 'known'
  return others ? 'new' : 'first'
}

/** Forgets all devices of a user, e.g. after a password reset. */
export async function forgetDevices(db: Database, userId: string): Promise<void> {
  await db.deleteFrom('auth.known_device').where('user_id', '=', userId).execute()
}
