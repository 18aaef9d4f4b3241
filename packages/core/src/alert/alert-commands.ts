import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { deleteInBatches } from '../db/delete-in-batches.ts'
import { toJsonb } from '../primitives/jsonb.ts'
import type { SellingCosts } from '../portfolio/buy-price.ts'
import { costsOfItem, type AccountSellingCosts } from '../portfolio/selling-costs.ts'
import { findDefaultSellingCosts } from '../portfolio/selling-costs-queries.ts'
import { numberOrNull } from '../primitives/money.ts'
import { claimCursor, saveCursor } from './change-commands.ts'
import { findChanges, findValuesMonthAgo } from './change-queries.ts'
import { ALERT_READER, type Change } from './change.ts'
import { signalsOf, type AlertFacts, type RuleKind } from './rule.ts'

/** However many rules there are, this many are in memory at a time. */
const RULES_PER_PAGE = 5000

/** A rule as it applies to one item. */
type ApplicableRule = {
  account_id: number
  rule_id: number
  kind: RuleKind
  threshold: number | null
  item_kind: Change['itemKind']
  item_number: string
  created_at_us: number
  /** The retailers for which it has been met; '' for a value. */
  met_at: string[]
  /** What selling costs the account; all null if it hasn't saved any. */
  fee_basis_points: number | null
  fixed_fee_cents: number | null
  shipping_cents: number[] | null
  /** Of the box of a set; null if unknown. */
  box_weight_lbs: string | null
}

type RuleAtRetailer = { account_id: number; rule_id: number; item_kind: string; item_number: string; retailer: string }
type NewAlert = RuleAtRetailer & { change_id: number; at: Date; kind: RuleKind; facts: AlertFacts }

/**
 * Applies the rules of all accounts to the next published changes, and returns the number of changes and alerts. Alerts and
 * the position in the feed are saved in one transaction: if a worker dies, the next one repeats its batch, and nothing
 * happens twice. Returns undefined if another worker is applying rules.
 */
export async function alertOnChanges(
  db: Database,
  maxChanges = 500,
): Promise<{ changes: number; alerts: number } | undefined> {
  return db.transaction().execute(async (transaction) => {
    const before = await claimCursor(transaction, ALERT_READER)
    if (before === undefined) return undefined
    const { changes, cursor } = await findChanges(transaction, before, maxChanges)
    if (changes.length === 0) return { changes: 0, alerts: 0 }
    let alerts = 0
    for await (const rules of findApplicableRules(transaction, changes))
      alerts += await applyRules(transaction, rules, changes)
    await saveCursor(transaction, ALERT_READER, cursor)
    return { changes: changes.length, alerts }
  })
}

/** Skips the next change without applying rules to it, and returns its id; undefined if another worker has the cursor. */
export async function skipChange(db: Database): Promise<number | undefined> {
  return db.transaction().execute(async (transaction) => {
    const before = await claimCursor(transaction, ALERT_READER)
    if (before === undefined) return undefined
    const { changes, cursor } = await findChanges(transaction, before, 1)
    await saveCursor(transaction, ALERT_READER, cursor)
    return changes[0]?.id
  })
}

async function applyRules(db: Database, rules: ApplicableRule[], changes: Change[]): Promise<number> {
  const monthAgo = await findMonthAgo(db, rules, changes)
  const defaultCosts = await findDefaultSellingCosts(db, changes[0]!.at.toISOString().slice(0, 10))
  const rulesByItem = Map.groupBy(rules, ({ item_kind, item_number }) => `${item_kind} ${item_number}`)
  const alerts: NewAlert[] = []
  const outcome = new MetRules()
  for (const change of changes) {
    for (const rule of rulesByItem.get(`${change.itemKind} ${change.itemNumber}`) ?? []) {
      // A rule applies only to changes after its creation.
      if (change.atUs < rule.created_at_us) continue
      const known = { monthAgo: monthAgo.get(change.itemNumber) ?? null, costs: costsOf(rule, defaultCosts) }
      for (const { retailer, facts, ...signal } of signalsOf(rule, change, known)) {
        if (outcome.update(rule, retailer, change.at, signal))
          alerts.push({ ...keyOf(rule, retailer), change_id: change.id, at: change.at, kind: rule.kind, facts })
      }
    }
  }
  await sql`
    select alert.record_alerts(${toJsonb(alerts)}, ${toJsonb(outcome.met())},
      ${toJsonb(outcome.noLongerMet())})`.execute(db)
  return alerts.length
}

/** Keeps track of which rules are met, where, while changes are applied. */
class MetRules {
  readonly #changed = new Map<string, { key: RuleAtRetailer; since: Date | undefined }>()

  /** Returns whether to alert: the rule wasn't met, and is now. */
  update(
    rule: ApplicableRule,
    retailer: string,
    at: Date,
    { wasMet, isMet, isRearmed }: { wasMet: boolean; isMet: boolean; isRearmed: boolean },
  ): boolean {
    const name = `${rule.account_id} ${rule.rule_id} ${rule.item_kind} ${rule.item_number} ${retailer}`
    const changed = this.#changed.get(name)
    const hasAlerted = changed === undefined ? rule.met_at.includes(retailer) : changed.since !== undefined
    if (!isMet) {
      if (hasAlerted && isRearmed) this.#changed.set(name, { key: keyOf(rule, retailer), since: undefined })
      return false
    }
    if (wasMet || (hasAlerted && !isRearmed)) return false
    // Events, such as a set selling out, have nothing to re-arm.
    if (!isRearmed) this.#changed.set(name, { key: keyOf(rule, retailer), since: at })
    return true
  }

  met(): (RuleAtRetailer & { since: Date })[] {
    return [...this.#changed.values()].flatMap(({ key, since }) => (since === undefined ? [] : [{ ...key, since }]))
  }

  noLongerMet(): RuleAtRetailer[] {
    return [...this.#changed.values()].flatMap(({ key, since }) => (since === undefined ? [key] : []))
  }
}

function keyOf({ account_id, rule_id, item_kind, item_number }: ApplicableRule, retailer: string): RuleAtRetailer {
  return { account_id, rule_id, item_kind, item_number, retailer }
}

function costsOf(
  { fee_basis_points, fixed_fee_cents, shipping_cents, box_weight_lbs }: ApplicableRule,
  defaultCosts: AccountSellingCosts,
): SellingCosts {
  const own = fee_basis_points !== null && {
    feeBasisPoints: fee_basis_points,
    fixedFee: fixed_fee_cents!,
    shippingByWeight: shipping_cents!,
  }
  return costsOfItem(own || defaultCosts, numberOrNull(box_weight_lbs))
}

/** Reads the rules that apply to these changes, page by page. */
async function* findApplicableRules(db: Database, changes: Change[]): AsyncGenerator<ApplicableRule[]> {
  const numbersOf = (kind: Change['itemKind']) => [
    ...new Set(changes.filter(({ itemKind }) => itemKind === kind).map(({ itemNumber }) => itemNumber)),
  ]
  await sql`
    declare applicable_rule no scroll cursor for
    select * from alert.find_rules(${numbersOf('set')}::text[], ${numbersOf('minifig')}::text[])`.execute(db)
  for (;;) {
    const { rows } = await sql<ApplicableRule>`fetch ${sql.lit(RULES_PER_PAGE)} from applicable_rule`.execute(db)
    if (rows.length > 0) yield rows
    if (rows.length < RULES_PER_PAGE) break
  }
  await sql`close applicable_rule`.execute(db)
}

/** Returns the values of a month ago that rules about moves need. */
async function findMonthAgo(db: Database, rules: ApplicableRule[], changes: Change[]): Promise<Map<string, number>> {
  const numbers = new Set(rules.filter(({ kind }) => kind === 'value_moved').map(({ item_number }) => item_number))
  return numbers.size === 0 ? new Map() : findValuesMonthAgo(db, [...numbers], changes[0]!.at)
}

/** Deletes alerts after 90 days and returns their number. */
export function deleteOldAlerts(db: Database): Promise<number> {
  return deleteInBatches(db, 'alert.delete_old_alerts')
}
