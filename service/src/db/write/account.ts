import type { Database } from '../database.ts'
import { recordAudit } from './audit-log.ts'

/** Opens an account on a plan; returns its id. */
export async function createAccount(
  db: Database,
  { name, plan, actor }: { name: string; plan: string; actor: string },
): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const { account_id } = await transaction
      .insertInto('account.account')
      .values({ name, plan })
      .returning('account_id')
      .executeTakeFirstOrThrow()
    await recordAudit(transaction, { accountId: account_id, actor, action: 'account.created', detail: { plan } })
    return account_id
  })
}
