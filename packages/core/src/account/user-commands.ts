import { sql } from 'kysely'
import pg from 'pg'
import { writeAs, type Database } from '../db/database.ts'
import { revokeAllApiKeys } from './api-key-commands.ts'

const CHECK_VIOLATION = '23514'

/**
 * Grants or revokes a user's access to the operator pages. Returns why nothing changed: no user has this email address, or
 * the user has no second factor.
 */
export async function setOperator(
  db: Database,
  email: string,
  operator: boolean,
): Promise<'not_found' | 'no_second_factor' | undefined> {
  try {
    const user = await db
      .updateTable('auth.user')
      .set({ operator })
      .where('email', '=', email.toLowerCase())
      .returning('id')
      .executeTakeFirst()
    return user === undefined ? 'not_found' : undefined
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === CHECK_VIOLATION) return 'no_second_factor'
    throw error
  }
}

/**
 * Records which terms a new user agreed to. An account that is confirmed already keeps what it agreed to: whoever signs up
 * with its address again isn't its owner.
 */
export async function acceptTerms(db: Database, email: string, version: string): Promise<void> {
  await db
    .updateTable('auth.user')
    .set({ terms_version: version, terms_accepted_at: new Date() })
    .where('email', '=', email.trim().toLowerCase())
    .where('email_verified', '=', false)
    .execute()
}

/** Makes the user of a session that began with a second factor the first operator. Returns false if there was one before. */
export async function appointFirstOperator(db: Database, sessionToken: string): Promise<boolean> {
  const { rows } = await sql<{ appointed: boolean }>`
    select auth.appoint_first_operator(${sessionToken}) as appointed`.execute(db)
  return rows[0]!.appointed
}

/** Lets a user sign in without having opened the link in the mail. */
export async function confirmEmail(db: Database, email: string): Promise<void> {
  await db
    .updateTable('auth.user')
    .set({ email_verified: true })
    .where('email', '=', email.trim().toLowerCase())
    .execute()
}

/** Deletes a user's passkeys and revokes the account's API keys: everything besides the password that lets someone in. */
export async function revokeAccess(db: Database, userId: string): Promise<void> {
  const { account_id } = await db
    .selectFrom('auth.user')
    .select('account_id')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  await db.deleteFrom('auth.passkey').where('user_id', '=', userId).execute()
  await writeAs(db, account_id, (tx) => revokeAllApiKeys(tx, account_id, 'owner'))
}

export type NewUser = { id: string; accountId: number; name: string; email: string; passwordHash: string }

/**
 * Creates the first user of an account, who can sign in immediately. `passwordHash` must be in the web application's
 * format.
 */
export async function createUser(db: Database, { id, accountId, name, email, passwordHash }: NewUser): Promise<void> {
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
