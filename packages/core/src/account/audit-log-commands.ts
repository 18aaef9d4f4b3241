import type { Database } from '../db/database.ts'

/** Notes who did what to an account, in the transaction that does it. Rows are only ever added. */
export async function appendAuditLog(
  db: Database,
  { accountId, actor, action, detail }: { accountId: number; actor: string; action: string; detail: object },
): Promise<void> {
  await db
    .insertInto('account.audit_log')
    .values({ account_id: accountId, actor, action, detail: JSON.stringify(detail) })
    .execute()
}
