import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Announcement } from './announcement.ts'

/** Shows a message at the top of every page, in place of the one before it. */
export async function announce(db: Database, announcement: Announcement): Promise<void> {
  await db.insertInto('account.announcement').values(announcement).execute()
}

/** The same on behalf of a signed-in operator; the database verifies the session itself. */
export async function announceAsOperator(db: Database, token: string, { message, until }: Announcement): Promise<void> {
  await sql`select account.operator_announce(${token}, ${message}, ${until})`.execute(db)
}
