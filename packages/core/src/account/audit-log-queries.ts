import type { Database } from '../db/database.ts'

/** Returns one page of an account's audit log, newest first, and the total number of entries. */
export async function findAuditLog(
  db: Database,
  accountId: number,
  { limit, offset }: { limit: number; offset: number },
) {
  const all = db.selectFrom('account.audit_log').where('account_id', '=', accountId)
  const rows = await all
    .select(['id', 'at', 'actor', 'action', 'detail'])
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const { total } = await all.select((e) => e.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { rows, total }
}
