import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

/** What a mail about the credits of a key says. */
export type QuotaMail = {
  email: string
  keyId: number
  keyName: string
  percent: 80 | 100
  used: number
  dailyLimit: number
}

/** Takes the mail about credits that is due; it isn't due again on this day once the transaction has committed. */
export async function takeQuotaMail(db: Database, maxMails: number): Promise<QuotaMail[]> {
  const { rows } = await sql<QuotaMail>`
    select email, key_id as "keyId", key_name as "keyName", percent, used, daily_limit as "dailyLimit"
      from account.take_quota_mail(${maxMails})`.execute(db)
  return rows
}
