import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Alert } from './alert-queries.ts'

/** The first of the alerts that an account gets mail about, oldest first, and how many there are. */
export type DueMail = { accountId: number; email: string; alerts: Omit<Alert, 'id' | 'at'>[]; total: number }

const MAX_ALERTS_IN_MAIL = 50

/** Takes mail that is due; it isn't due again once the transaction has committed. */
export async function takeDueMail(db: Database, maxAccounts: number): Promise<DueMail[]> {
  const { rows } = await sql<{ account_id: number; email: string; alerts: DueMail['alerts'] | null; total: number }>`
    select account_id, email, alerts, total from alert.take_due_mail(${maxAccounts}, ${MAX_ALERTS_IN_MAIL})`.execute(db)
  // An account may have deleted its alerts meanwhile.
  return rows.flatMap(({ account_id, email, alerts, total }) =>
    alerts === null ? [] : [{ accountId: account_id, email, alerts, total }],
  )
}
