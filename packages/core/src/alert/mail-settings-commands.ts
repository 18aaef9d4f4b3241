import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { MailSettings } from './mail-settings.ts'

/** Saves when the account gets mail, which also applies to alerts that wait for it, and sends to its address again. */
export async function saveMailSettings(
  db: Database,
  accountId: number,
  { frequency, timeZone, quietFrom, quietTo, dailyAt }: MailSettings,
): Promise<void> {
  await sql`
    insert into alert.mail_settings (account_id, frequency, time_zone, quiet_from, quiet_to, daily_at)
    values (${accountId}, ${frequency}, ${timeZone}, ${quietFrom}, ${quietTo}, ${dailyAt})
    on conflict (account_id) do update set frequency = excluded.frequency, time_zone = excluded.time_zone,
      quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to, daily_at = excluded.daily_at,
      bounced_at = null`.execute(db)
  await reschedule(db, accountId)
}

/** Turns mail about the credits of keys on or off. */
export async function setQuotaMail(db: Database, accountId: number, isOn: boolean): Promise<void> {
  await sql`
    insert into alert.mail_settings (account_id, quota_mail) values (${accountId}, ${isOn})
    on conflict (account_id) do update set quota_mail = excluded.quota_mail`.execute(db)
}

/** Stops mail about alerts. */
export async function turnMailOff(db: Database, accountId: number): Promise<void> {
  await sql`
    insert into alert.mail_settings (account_id, frequency) values (${accountId}, 'off')
    on conflict (account_id) do update set frequency = 'off'`.execute(db)
  await reschedule(db, accountId)
}

/** Stops mail about alerts because the account's address rejects it. */
export async function recordBounce(db: Database, accountId: number): Promise<void> {
  await sql`
    insert into alert.mail_settings as settings (account_id, bounced_at) values (${accountId}, now())
    on conflict (account_id) do update set bounced_at = coalesce(settings.bounced_at, now())`.execute(db)
  await reschedule(db, accountId)
}

async function reschedule(db: Database, accountId: number): Promise<void> {
  await sql`
    update alert.mail_schedule s set due_at = alert.mail_due_at(settings, now())
      from alert.mail_settings settings
     where s.account_id = ${accountId} and settings.account_id = ${accountId} and s.due_at is not null`.execute(db)
}
