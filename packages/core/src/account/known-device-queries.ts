import type { Database } from '../db/database.ts'

/** Whether the user with this email address has signed in with this device before. */
export async function isKnownDevice(db: Database, email: string, deviceHash: Buffer): Promise<boolean> {
  const device = await db
    .selectFrom('auth.known_device as d')
    .innerJoin('auth.user as u', 'u.id', 'd.user_id')
    .select('d.user_id')
    .where('u.email', '=', email.toLowerCase())
    .where('d.device_hash', '=', deviceHash)
    .executeTakeFirst()
  return device !== undefined
}
