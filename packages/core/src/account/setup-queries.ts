import type { Database } from '../db/database.ts'

/** Returns what the setup token belongs to; undefined once there has been an operator. */
export async function findSetupNonce(db: Database): Promise<string | undefined> {
  return (await db.selectFrom('auth.setup').select('nonce').executeTakeFirst())?.nonce
}
