import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { DEFAULT_MAIL_SETTINGS, type MailSettings } from './mail-settings.ts'

/** Returns whether an account gets mail about the credits of its keys. */
export async function wantsQuotaMail(db: Database, accountId: number): Promise<boolean> {
  const found = await db
    .selectFrom('alert.mail_settings')
    .select('quota_mail')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return found?.quota_mail === true
}

/** Returns when an account gets mail about its alerts, and since when its address has rejected mail. */
export async function findMailSettings(
  db: Database,
  accountId: number,
): Promise<MailSettings & { bouncedAt: Date | null }> {
  const { rows } = await sql<MailSettings & { bouncedAt: Date | null }>`
    select frequency, time_zone as "timeZone", quiet_from as "quietFrom", quiet_to as "quietTo", daily_at as "dailyAt",
           bounced_at as "bouncedAt"
      from alert.mail_settings where account_id = ${accountId}`.execute(db)
  return rows[0] ?? { ...DEFAULT_MAIL_SETTINGS, bouncedAt: null }
}
