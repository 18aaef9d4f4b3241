import type { Database } from '../db/database.ts'

/** Marks alerts as read up to this one. What has been read stays read. */
export async function markAlertsRead(db: Database, accountId: number, readTo: number): Promise<void> {
  await db
    .insertInto('alert.inbox')
    .values({ account_id: accountId, read_to: readTo })
    .onConflict((conflict) =>
      conflict
        .column('account_id')
        .doUpdateSet({ read_to: (eb) => eb.fn('greatest', ['alert.inbox.read_to', 'excluded.read_to']) }),
    )
    .execute()
}
