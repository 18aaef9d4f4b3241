import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

/** Longer than an authenticator app's code is accepted: its own 30 seconds and one period before and after. */
const CODE_LIFETIME_MINUTES = 5

/** Marks a code as used. Returns false if the user has tried the same code in the last minutes. */
export async function claimCode(db: Database, userId: string, codeHash: Buffer): Promise<boolean> {
  await sql`
    delete from auth.used_code
     where user_id = ${userId} and used_at < now() - make_interval(mins => ${CODE_LIFETIME_MINUTES})`.execute(db)
  const { rows } = await sql`
    insert into auth.used_code (user_id, code_hash) values (${userId}, ${codeHash})
    on conflict do nothing returning user_id`.execute(db)
  return rows.length === 1
}
