import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

/** Returns a user's active sessions, newest first. */
export function findSessions(db: Database, userId: string) {
  return db
    .selectFrom('auth.session')
    .select(['id', 'token', 'created_at', 'updated_at', 'ip_address', 'user_agent'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('created_at', 'desc')
    .execute()
}
