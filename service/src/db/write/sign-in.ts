import { sql } from 'kysely'
import type { Database } from '../database.ts'

/** Lets the user with this address see the operator's pages, or no longer. False when there is none. */
export async function setOperator(db: Database, email: string, operator: boolean): Promise<boolean> {
  const user = await db
    .updateTable('auth.user')
    .set({ operator })
    .where('email', '=', email.toLowerCase())
    .returning('id')
    .executeTakeFirst()
  return user !== undefined
}

export type NewUser = { id: string; accountId: number; name: string; email: string; passwordHash: string }

/** Gives an account that has none yet a user who can sign in at once; the password comes as the web application hashes it. */
export async function addUser(db: Database, { id, accountId, name, email, passwordHash }: NewUser): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('auth.user')
      .values({ id, account_id: accountId, name, email, email_verified: true })
      .execute()
    const now = new Date()
    await transaction
      .insertInto('auth.credential')
      .values({
        id,
        user_id: id,
        account_id: id,
        provider_id: 'credential',
        password: passwordHash,
        created_at: now,
        updated_at: now,
      })
      .execute()
  })
}

/**
 * Notes that somebody is still there. Once they were away for `idleMinutes` it notes nothing any more: `updated_at` then
 * tells since when, until they sign in again.
 */
export async function touchSession(db: Database, token: string, idleMinutes: number): Promise<void> {
  await db
    .updateTable('auth.session')
    .set({ updated_at: sql`now()` })
    .where('token', '=', token)
    .where('updated_at', '>', sql<Date>`now() - make_interval(mins => ${idleMinutes})`)
    .execute()
}

/** Ends one session. */
export async function endSession(db: Database, token: string): Promise<void> {
  await db.deleteFrom('auth.session').where('token', '=', token).execute()
}

/** Takes away sessions and secrets that have expired, and counts of tries that no limit looks at any more. */
export async function sweepSignIn(db: Database): Promise<{ sessions: number; secrets: number; tries: number }> {
  const now = sql<Date>`now()`
  const sessions = await db.deleteFrom('auth.session').where('expires_at', '<', now).executeTakeFirst()
  const secrets = await db.deleteFrom('auth.verification').where('expires_at', '<', now).executeTakeFirst()
  const tries = await db
    .deleteFrom('auth.rate_limit')
    .where('last_request', '<', sql<number>`(extract(epoch from now() - interval '1 day') * 1000)::bigint`)
    .executeTakeFirst()
  return {
    sessions: Number(sessions.numDeletedRows),
    secrets: Number(secrets.numDeletedRows),
    tries: Number(tries.numDeletedRows),
  }
}

/**
 * Deletes the account of whoever has just signed in with this session, and every row that belongs to it. False when the
 * sign-in is more than ten minutes old: the database asks too, not only the page.
 */
export async function deleteAccount(db: Database, sessionToken: string): Promise<boolean> {
  const { rows } = await sql<{ deleted: boolean }>`select auth.delete_account(${sessionToken}) as deleted`.execute(db)
  return rows[0]?.deleted === true
}
