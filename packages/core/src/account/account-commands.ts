import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { appendAuditLog } from './audit-log-commands.ts'

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
    await appendAuditLog(transaction, { accountId: account_id, actor, action: 'account.created', detail: { plan } })
    return account_id
  })
}

/** Puts an account on another plan, from its next request on. False when there is no such account or plan. */
export async function changePlan(
  db: Database,
  { accountId, plan, actor }: { accountId: number; plan: string; actor: string },
): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const before = await transaction
      .selectFrom('account.account')
      .select('plan')
      .where('account_id', '=', accountId)
      .where((e) => e.exists(e.selectFrom('account.plan').select('plan').where('account.plan.plan', '=', plan)))
      .forUpdate()
      .executeTakeFirst()
    if (!before) return false
    await transaction.updateTable('account.account').set({ plan }).where('account_id', '=', accountId).execute()
    const detail = { from: before.plan, to: plan }
    await appendAuditLog(transaction, { accountId, actor, action: 'plan.changed', detail })
    return true
  })
}

/**
 * The same for an operator who is signed in: the database looks at the session itself. False also when the account is on
 * that plan already.
 */
export async function changePlanAsOperator(
  db: Database,
  token: string,
  { accountId, plan }: { accountId: number; plan: string },
): Promise<boolean> {
  const { rows } = await sql<{ changed: boolean }>`
    select account.operator_change_plan(${token}, ${accountId}, ${plan}) as changed`.execute(db)
  return rows[0]?.changed === true
}

/**
 * Deletes the account of whoever has just signed in with this session, and every row that belongs to it. False when the
 * sign-in is more than ten minutes old: the database asks too, not only the page.
 */
export async function deleteAccount(db: Database, sessionToken: string): Promise<boolean> {
  const { rows } = await sql<{ deleted: boolean }>`select auth.delete_account(${sessionToken}) as deleted`.execute(db)
  return rows[0]?.deleted === true
}
