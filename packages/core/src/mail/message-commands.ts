import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

/** Encrypted mail that waits for the mail server. */
export type WaitingMessage = { id: number; content: Buffer; attempts: number; isExpired: boolean }

export async function addMessages(
  db: Database,
  messages: readonly { content: Buffer; expiresInHours: number }[],
): Promise<void> {
  if (messages.length === 0) return
  await sql`
    insert into mail.message (content, expires_at)
    select content, now() + make_interval(hours => hours)
      from unnest(${messages.map(({ content }) => content)}::bytea[],
                  ${messages.map(({ expiresInHours }) => expiresInHours)}::integer[]) as m (content, hours)`.execute(db)
}

/**
 * Returns messages that are due, oldest first. Nobody else gets them for `leaseSeconds`: if this process dies meanwhile,
 * another one sends them.
 */
export async function claimMessages(db: Database, limit: number, leaseSeconds: number): Promise<WaitingMessage[]> {
  const { rows } = await sql<WaitingMessage>`
    update mail.message m set attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => ${leaseSeconds})
      from (select id from mail.message where next_attempt_at <= now() order by next_attempt_at limit ${limit}
               for update skip locked) as due
     where m.id = due.id
    returning m.id, m.content, m.attempts, m.expires_at <= now() as "isExpired"`.execute(db)
  return rows
}

export async function deleteMessage(db: Database, id: number): Promise<void> {
  await db.deleteFrom('mail.message').where('id', '=', id).execute()
}

export async function retryMessage(
  db: Database,
  id: number,
  { inSeconds, error }: { inSeconds: number; error: string },
): Promise<void> {
  await sql`
    update mail.message set next_attempt_at = now() + make_interval(secs => ${inSeconds}), last_error = ${error}
     where id = ${id}`.execute(db)
}
