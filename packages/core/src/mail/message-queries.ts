import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

/** Returns how many messages wait for the mail server, and for how many seconds the oldest has. */
export async function findWaitingMail(db: Database): Promise<{ messages: number; oldestSeconds: number }> {
  const { rows } = await sql<{ messages: number; oldestSeconds: number }>`
    select count(*) as messages, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as "oldestSeconds"
      from mail.message`.execute(db)
  return rows[0]!
}
