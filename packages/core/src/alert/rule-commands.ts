import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { RuleKind } from './rule.ts'
import type { RuleScope } from './rule-queries.ts'

/** Adds a rule. Returns false if there is no such set, minifig or collection. */
export async function addRule(
  db: Database,
  accountId: number,
  { kind, scope, threshold }: { kind: RuleKind; scope: RuleScope; threshold: number | null },
): Promise<boolean> {
  const setNumber = scope.kind === 'set' ? scope.number : null
  const minifigNumber = scope.kind === 'minifig' ? scope.number : null
  const collectionId = scope.kind === 'collection' ? scope.id : null
  const { rows } = await sql`
    insert into alert.rule (account_id, kind, set_number, minifig_number, collection_id, threshold)
    select ${accountId}, ${kind}, ${setNumber}, ${minifigNumber}, ${collectionId}::bigint, ${threshold}::integer
     where (${setNumber}::text is null or exists (select from catalog.set where set_number = ${setNumber}))
       and (${minifigNumber}::text is null or exists (select from catalog.minifig where minifig_number = ${minifigNumber}))
       and (${collectionId}::bigint is null or exists (
             select from portfolio.collection where account_id = ${accountId} and id = ${collectionId}))
    returning id`.execute(db)
  return rows.length > 0
}

export async function pauseRule(db: Database, accountId: number, ruleId: number, isPaused: boolean): Promise<void> {
  await db
    .updateTable('alert.rule')
    .set({ is_paused: isPaused })
    .where('account_id', '=', accountId)
    .where('id', '=', ruleId)
    .execute()
}

export async function deleteRule(db: Database, accountId: number, ruleId: number): Promise<void> {
  await db.deleteFrom('alert.rule').where('account_id', '=', accountId).where('id', '=', ruleId).execute()
}
