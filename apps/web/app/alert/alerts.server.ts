import { redirect, type RouterContextProvider } from 'react-router'
import { describeAlert, describeRule } from '@brickmark/core/alert/alert-text'
import { markAlertsRead } from '@brickmark/core/alert/inbox-commands'
import { findAlerts, findDailyAlerts } from '@brickmark/core/alert/alert-queries'
import { MINIFIG_RULE_KINDS, RULE_KINDS, THRESHOLD_UNITS, type RuleKind } from '@brickmark/core/alert/rule'
import { addRule, deleteRule, MAX_BROAD_RULES, pauseRule, type RuleRefusal } from '@brickmark/core/alert/rule-commands'
import { findItemTitle, findRuleLimit, findRules, type Rule, type RuleScope } from '@brickmark/core/alert/rule-queries'
import { readAs, writeAs } from '@brickmark/core/db/database'
import { findCollections } from '@brickmark/core/portfolio/collection-queries'
import { parsePrice } from '@brickmark/core/portfolio/lot'
import { actionError } from '../request/action-result.server.ts'
import { cleanText, parseId, parseOffset } from '../request/input.server.ts'
import { getServices, requireUser } from '../request/context.server.ts'
import { readForm } from '../request/form.server.ts'

type Context = Readonly<RouterContextProvider>

const PAGE_SIZE = 25
/** Far beyond what an account can have in 90 days. */
const MAX_OFFSET = 1_000_000

/** Loads a page of alerts with the reason for each. */
export async function loadAlerts(context: Context, search: URLSearchParams) {
  const { accountId } = requireUser(context)
  const offset = Math.min(MAX_OFFSET, parseOffset(search.get('from')))
  return readAs(getServices(context).db, accountId, async (tx) => {
    const { alerts, hasMore, readTo } = await findAlerts(tx, accountId, { limit: PAGE_SIZE, offset })
    const { rules, targets } = await findRuleLimit(tx, accountId)
    return {
      offset,
      limit: PAGE_SIZE,
      hasMore,
      hasRules: rules + targets > 0,
      today: await findDailyAlerts(tx, accountId),
      alerts: alerts.map((alert) => ({
        id: alert.id,
        at: alert.at.toISOString(),
        kind: alert.itemKind,
        number: alert.itemNumber,
        title: alert.title,
        reason: describeAlert(alert),
        isNew: alert.id > readTo,
      })),
    }
  })
}

/** Marks alerts as read, up to the latest that the page showed. */
export async function markRead(context: Context, request: Request) {
  const { accountId } = requireUser(context)
  const readTo = parseId((await readForm(request))('to'))
  await writeAs(getServices(context).db, accountId, (tx) => markAlertsRead(tx, accountId, readTo))
  return redirect('/alerts')
}

/** Loads the rules, and what a new one can apply to: `?set=` or `?minifig=` offers that item. */
export async function loadRules(context: Context, search: URLSearchParams) {
  const { accountId } = requireUser(context)
  const item = itemIn(search)
  return readAs(getServices(context).db, accountId, async (tx) => {
    const collections = await findCollections(tx, accountId)
    return {
      rules: (await findRules(tx, accountId)).map(toRow),
      limit: await findRuleLimit(tx, accountId),
      item,
      scopes: [
        ...(item === undefined ? [] : [scopeOption(item, (await findItemTitle(tx, item)) ?? item.number)]),
        scopeOption({ kind: 'watchlist' }, 'Everything on your watchlist'),
        ...collections.map(({ id, name }) => scopeOption({ kind: 'collection', id }, `Collection: ${name}`)),
      ],
    }
  })
}

function itemIn(search: URLSearchParams): (RuleScope & { kind: 'set' | 'minifig' }) | undefined {
  for (const kind of ['set', 'minifig'] as const) {
    const number = cleanText(search.get(kind) ?? '').slice(0, 24)
    if (number !== '') return { kind, number }
  }
  return undefined
}

function toRow({ id, kind, scope, title, threshold, isPaused, isTarget }: Rule) {
  return { id, isPaused, isTarget, condition: describeRule({ kind, threshold }), title, scope }
}

/** A scope as the value of a form field: `set 90001-1`, `collection 7` or `watchlist`. */
function scopeOption(scope: RuleScope, label: string): [value: string, label: string] {
  if (scope.kind === 'watchlist') return ['watchlist', label]
  return [`${scope.kind} ${scope.kind === 'collection' ? scope.id : scope.number}`, label]
}

function parseScope(text: string): RuleScope | undefined {
  const [kind, name = ''] = text.split(' ')
  if (kind === 'watchlist') return { kind }
  if (kind === 'collection' && /^\d{1,15}$/.test(name)) return { kind, id: Number(name) }
  return kind === 'set' || kind === 'minifig' ? { kind, number: cleanText(name) } : undefined
}

/** Adds, pauses, resumes or deletes a rule. */
export async function changeRules(context: Context, request: Request) {
  const { accountId } = requireUser(context)
  const { db } = getServices(context)
  const field = await readForm(request)
  const intent = field('intent')
  switch (intent) {
    case 'pause':
    case 'resume':
      await writeAs(db, accountId, (tx) => pauseRule(tx, accountId, parseId(field('rule')), intent === 'pause'))
      return redirect('/alerts/rules')
    case 'delete':
      await writeAs(db, accountId, (tx) => deleteRule(tx, accountId, parseId(field('rule'))))
      return redirect('/alerts/rules')
    default:
      return createRule(context, field)
  }
}

async function createRule(context: Context, field: (name: string) => string) {
  const { accountId } = requireUser(context)
  const rule = parseRule(field)
  if (typeof rule === 'string') return actionError(rule)
  const error = await writeAs(getServices(context).db, accountId, async (tx) => {
    const refusal = await addRule(tx, accountId, rule)
    return refusal && refusalMessage(refusal, (await findRuleLimit(tx, accountId)).max)
  })
  return error === undefined ? redirect('/alerts/rules') : actionError(error)
}

function refusalMessage(refusal: RuleRefusal, max: number): string {
  const messages: Record<RuleRefusal, string> = {
    not_found: 'There’s no such set, minifig or collection.',
    exists: 'You already have this rule.',
    limit: `Your plan includes ${max} rules. Delete one to add another.`,
    broad_limit: `You can have ${MAX_BROAD_RULES} rules for whole collections and your watchlist. Delete one to add another.`,
  }
  return messages[refusal]
}

/** Parses the form of a new rule; returns a message if it is invalid. */
function parseRule(field: (name: string) => string) {
  const kind = RULE_KINDS.find((name) => name === field('kind'))
  const scope = parseScope(field('scope'))
  if (kind === undefined || scope === undefined) return 'Something went wrong. Please try again.'
  if (scope.kind === 'minifig' && !MINIFIG_RULE_KINDS.includes(kind))
    return 'Minifigs aren’t sold by retailers and don’t retire. Choose a rule about their value.'
  const threshold = parseThreshold(kind, field('threshold'))
  return typeof threshold === 'string' ? threshold : { kind, scope, threshold }
}

/** Both units have two decimals: cents of a dollar, hundredths of a percent. */
function parseThreshold(kind: RuleKind, text: string): number | null | string {
  const unit = THRESHOLD_UNITS[kind]
  if (unit === undefined) return null
  const threshold = parsePrice(text.replace(/^\s*\$|%\s*$/g, ''))
  if (unit === 'cents') return threshold || 'Enter a price, e.g. 42.00.'
  // A price can't be 100 % below value; returns and moves can be larger.
  const isPercentage = threshold !== undefined && threshold > 0 && (kind !== 'below_value' || threshold < 10_000)
  return isPercentage ? threshold : 'Enter a percentage, e.g. 20.'
}
