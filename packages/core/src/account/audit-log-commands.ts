import type { Database } from '../db/database.ts'
import { toJsonb } from '../primitives/jsonb.ts'

/**
 * Appends an entry to the account's audit log; call it in the transaction that makes the change. Entries are never
 * updated or deleted.
 */
export async function appendAuditLog(
  db: Database,
  { accountId, actor, action, detail }: { accountId: number; actor: string; action: string; detail: object },
): Promise<void> {
  await db
    .insertInto('account.audit_log')
    .values({ account_id: accountId, actor, action, detail: toJsonb(detail) })
    .execute()
}
