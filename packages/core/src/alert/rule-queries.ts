import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { RuleKind } from './rule.ts'

/** What a rule applies to. */
export type RuleScope =
  | { kind: 'set' | 'minifig'; number: string }
  | { kind: 'collection'; id: number }
  | { kind: 'watchlist' }

export type Rule = {
  id: number
  kind: RuleKind
  scope: RuleScope
  /** The title of the set, or the name of the minifig or collection; null for the watchlist. */
  title: string | null
  threshold: number | null
  isPaused: boolean
  /** Whether it is the target of a watched item, and changes with it. */
  isTarget: boolean
}

type RuleRow = {
  id: number
  kind: RuleKind
  set_number: string | null
  minifig_number: string | null
  collection_id: number | null
  title: string | null
  threshold: number | null
  is_paused: boolean
  is_target: boolean
}

/** Returns all rules of an account, latest first. */
export async function findRules(db: Database, accountId: number): Promise<Rule[]> {
  const { rows } = await sql<RuleRow>`
    select r.id, r.kind, r.set_number, r.minifig_number, r.collection_id, r.threshold, r.is_paused,
           r.watched_item_id is not null as is_target,
           coalesce(s.title, m.name, c.name) as title
      from alert.rule r
      left join catalog.set s on s.set_number = r.set_number
      left join catalog.minifig m on m.minifig_number = r.minifig_number
      left join portfolio.collection c on c.account_id = r.account_id and c.id = r.collection_id
     where r.account_id = ${accountId}
     order by r.id desc`.execute(db)
  return rows.map(({ id, kind, title, threshold, is_paused, is_target, ...row }) => ({
    id,
    kind,
    title,
    threshold,
    isPaused: is_paused,
    isTarget: is_target,
    scope: toScope(row),
  }))
}

function toScope({ set_number, minifig_number, collection_id }: Partial<RuleRow>): RuleScope {
  if (set_number) return { kind: 'set', number: set_number }
  if (minifig_number) return { kind: 'minifig', number: minifig_number }
  return collection_id ? { kind: 'collection', id: collection_id } : { kind: 'watchlist' }
}

/** Returns the title of a set or the name of a minifig; undefined if there is none. */
export async function findItemTitle(
  db: Database,
  { kind, number }: { kind: 'set' | 'minifig'; number: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ title: string }>`
    select title from catalog.set where ${kind} = 'set' and set_number = ${number}
    union all
    select name from catalog.minifig where ${kind} = 'minifig' and minifig_number = ${number}`.execute(db)
  return rows[0]?.title
}

/**
 * Returns how many rules the account has besides those of its targets, how many of them are for the watchlist or a collection,
 * how many targets it has, and how many rules its plan allows.
 */
export async function findRuleLimit(
  db: Database,
  accountId: number,
): Promise<{ rules: number; broadRules: number; targets: number; max: number }> {
  const { rows } = await sql<{ rules: number; broadRules: number; targets: number; max: number }>`
    select (select count(*) from alert.rule where account_id = ${accountId} and watched_item_id is null) as rules,
           (select count(*) from alert.rule
             where account_id = ${accountId} and set_number is null and minifig_number is null) as "broadRules",
           (select count(*) from alert.rule where account_id = ${accountId} and watched_item_id is not null) as targets,
           p.max_alert_rules as max
      from account.account a join account.plan p using (plan)
     where a.id = ${accountId}`.execute(db)
  return rows[0]!
}
