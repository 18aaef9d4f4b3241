import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { RuleKind } from './rule.ts'
import { findRuleLimit, type RuleScope } from './rule-queries.ts'

/** Rules of an account for its watchlist or a collection: each applies to every item in it. */
export const MAX_BROAD_RULES = 50

/** What happened instead of adding a rule: the item or collection doesn't exist, the rule does already, or there are too many. */
export type RuleRefusal = 'not_found' | 'exists' | 'limit' | 'broad_limit'

/** Adds a rule, unless the account has as many as it may. Returns undefined, or why it wasn't added. */
export async function addRule(
  db: Database,
  accountId: number,
  { kind, scope, threshold }: { kind: RuleKind; scope: RuleScope; threshold: number | null },
): Promise<RuleRefusal | undefined> {
  // Until the transaction ends, so that requests at the same time don't all find room.
  await sql`select pg_advisory_xact_lock(hashtextextended('alert rules', ${accountId}))`.execute(db)
  const { rules, broadRules, max } = await findRuleLimit(db, accountId)
  if (rules >= max) return 'limit'
  const isBroad = scope.kind === 'watchlist' || scope.kind === 'collection'
  if (isBroad && broadRules >= MAX_BROAD_RULES) return 'broad_limit'
  const setNumber = scope.kind === 'set' ? scope.number : null
  const minifigNumber = scope.kind === 'minifig' ? scope.number : null
  const collectionId = scope.kind === 'collection' ? scope.id : null
  const { rows } = await sql<{ is_known: boolean; is_added: boolean }>`
    with known as (
      select where (${setNumber}::text is null or exists (select from catalog.set where set_number = ${setNumber}))
       and (${minifigNumber}::text is null or exists (select from catalog.minifig where minifig_number = ${minifigNumber}))
       and (${collectionId}::bigint is null or exists (
             select from portfolio.collection where account_id = ${accountId} and id = ${collectionId}))
    ), added as (
      insert into alert.rule (account_id, kind, set_number, minifig_number, collection_id, threshold)
      select ${accountId}, ${kind}, ${setNumber}, ${minifigNumber}, ${collectionId}::bigint, ${threshold}::integer from known
      on conflict do nothing
      returning id
    )
    select exists (select from known) as is_known, exists (select from added) as is_added`.execute(db)
  const { is_known, is_added } = rows[0]!
  if (!is_known) return 'not_found'
  return is_added ? undefined : 'exists'
}

export async function pauseRule(db: Database, accountId: number, ruleId: number, isPaused: boolean): Promise<void> {
  await db
    .updateTable('alert.rule')
    .set({ is_paused: isPaused })
    .where('account_id', '=', accountId)
    .where('id', '=', ruleId)
    .execute()
}

/** Deletes a rule, unless it is that of a target, which goes with the target. */
export async function deleteRule(db: Database, accountId: number, ruleId: number): Promise<void> {
  await db
    .deleteFrom('alert.rule')
    .where('account_id', '=', accountId)
    .where('id', '=', ruleId)
    .where('watched_item_id', 'is', null)
    .execute()
}
