import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Alert } from './alert-queries.ts'

/** The alerts that an account gets mail about, oldest first. */
export type DueMail = { accountId: number; email: string; alerts: Omit<Alert, 'id' | 'at'>[] }

/** Takes mail that is due; it isn't due again once the transaction has committed. */
export async function takeDueMail(db: Database, maxAccounts: number): Promise<DueMail[]> {
  const { rows } = await sql<{ account_id: number; email: string; alerts: DueMail['alerts'] | null }>`
    select account_id, email, alerts from alert.take_due_mail(${maxAccounts})`.execute(db)
  // An account may have deleted its alerts meanwhile.
  return rows.flatMap(({ account_id, email, alerts }) =>
    alerts === null ? [] : [{ accountId: account_id, email, alerts }],
  )
}
