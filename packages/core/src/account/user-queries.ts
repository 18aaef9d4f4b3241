import type { Database } from '../db/database.ts'

/** Returns the account of the user with this email, in lower case. */
export async function findAccountByEmail(db: Database, email: string): Promise<number | undefined> {
  const user = await db.selectFrom('auth.user').select('account_id').where('email', '=', email).executeTakeFirst()
  return user?.account_id
}

export async function isSuspended(db: Database, userId: string): Promise<boolean> {
  const user = await db.selectFrom('auth.user').select('suspended').where('id', '=', userId).executeTakeFirst()
  return user?.suspended === true
}
