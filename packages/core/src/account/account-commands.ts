import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { deleteInBatches } from '../db/delete-in-batches.ts'
import { appendAuditLog } from './audit-log-commands.ts'

/** Creates an account on a plan; returns its id. */
export async function createAccount(
  db: Database,
  { name, plan, actor }: { name: string; plan: string; actor: string },
): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const { id } = await transaction
      .insertInto('account.account')
      .values({ name, plan })
      .returning('id')
      .executeTakeFirstOrThrow()
    await appendAuditLog(transaction, { accountId: id, actor, action: 'account.created', detail: { plan } })
    return id
  })
}

/**
 * Moves an account to another plan, effective from its next request. Returns false if the account or the plan doesn't
 * exist.
 */
export async function changePlan(
  db: Database,
  { accountId, plan, actor }: { accountId: number; plan: string; actor: string },
): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const before = await transaction
      .selectFrom('account.account')
      .select('plan')
      .where('id', '=', accountId)
      .where((e) => e.exists(e.selectFrom('account.plan').select('plan').where('account.plan.plan', '=', plan)))
      .forUpdate()
      .executeTakeFirst()
    if (!before) return false
    await transaction.updateTable('account.account').set({ plan }).where('id', '=', accountId).execute()
    const detail = { from: before.plan, to: plan }
    await appendAuditLog(transaction, { accountId, actor, action: 'plan.changed', detail })
    return true
  })
}

/**
 * Changes an account's plan on behalf of a signed-in operator; the database verifies the session itself. Also returns
 * false if the account is already on that plan.
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

/** What came of suspending or restoring an account; nothing changed unless it is done. */
export type SuspensionOutcome = 'done' | 'unchanged' | 'not_found' | 'self' | 'last_operator'

export type Suspension = {
  accountId: number
  /** False restores the account. */
  suspend: boolean
  reason: string
}

/**
 * Suspends or restores an account. Once a suspension returns, no request with a key of the account can succeed, its sessions
 * have ended, and its mail and webhooks wait.
 */
export async function setSuspended(
  db: Database,
  { accountId, suspend, reason }: Suspension,
): Promise<SuspensionOutcome> {
  const { rows } = await sql<{ outcome: SuspensionOutcome }>`
    select account.set_suspended(${accountId}, ${suspend}, ${reason}, null) as outcome`.execute(db)
  return rows[0]!.outcome
}

/** The same on behalf of a signed-in operator; the database verifies the session itself. */
export async function setSuspendedAsOperator(
  db: Database,
  token: string,
  { accountId, suspend, reason }: Suspension,
): Promise<SuspensionOutcome> {
  const { rows } = await sql<{ outcome: SuspensionOutcome }>`
    select account.operator_set_suspended(${token}, ${accountId}, ${suspend}, ${reason}) as outcome`.execute(db)
  return rows[0]!.outcome
}

/**
 * Removes rows that a charge in flight wrote just after its account was deleted. Returns the number of deleted accounts
 * that were checked.
 */
export function deleteOrphans(db: Database): Promise<number> {
  return deleteInBatches(db, 'account.delete_orphans')
}

/**
 * Deletes the account of the user who signed in with this session, and every row that belongs to it. Returns false if
 * the sign-in is more than ten minutes old; the database enforces this too, not only the page.
 */
export async function deleteAccount(db: Database, sessionToken: string): Promise<boolean> {
  const { rows } = await sql<{ deleted: boolean }>`select auth.delete_account(${sessionToken}) as deleted`.execute(db)
  return rows[0]?.deleted === true
}

/**
 * Deletes the account that was opened with this email address if the address was never confirmed, so that somebody who
 * signed up with another person's address doesn't keep that person from signing up.
 */
export async function deleteUnconfirmedAccount(db: Database, email: string): Promise<void> {
  await sql`select auth.delete_unconfirmed_accounts(${email})`.execute(db)
}
