import { redirect, type RouterContextProvider } from 'react-router'
import { pauseRule } from '@brickmark/core/alert/rule-commands'
import { SET_STATUS, setStatus } from '@brickmark/core/catalog/set-status'
import { readAs, writeAs } from '@brickmark/core/db/database'
import { describeExceededLimit } from '@brickmark/core/portfolio/account-limit-queries'
import { parseTarget, targetState, type TargetState } from '@brickmark/core/portfolio/watched-item'
import { unwatchItem, watchItem } from '@brickmark/core/portfolio/watched-item-commands'
import { findWatchedItems, isWatched, type WatchedItem } from '@brickmark/core/portfolio/watched-item-queries'
import { formatDay, utcDayOf } from '@brickmark/core/primitives/calendar'
import { actionError } from '../request/action-result.server.ts'
import { cleanText, parseId, parseOffset } from '../request/input.server.ts'
import { getServices, requireUser } from '../request/context.server.ts'
import { readForm } from '../request/form.server.ts'
import { safeRedirectPath } from '../request/session.server.ts'

type Context = Readonly<RouterContextProvider>

const PAGE_SIZE = 25

/** Filters of the watchlist, in display order. */
const WATCH_FILTERS = {
  all: () => true,
  met: ({ state }) => state === 'met',
  close: ({ state }) => state === 'close',
  retiring: ({ isRetiring }) => isRetiring,
  paused: ({ isPaused }) => isPaused,
  unavailable: ({ state, kind }) => state === 'unavailable' && kind === 'set',
} satisfies Record<string, (row: WatchedRow) => boolean>
export type WatchFilterName = keyof typeof WATCH_FILTERS

const SORTS = {
  added: (a, b) => b.addedAt.localeCompare(a.addedAt),
  title: (a, b) => a.title.localeCompare(b.title, 'en'),
  price: (a, b) => orLast(a.price) - orLast(b.price),
  target: (a, b) => distance(a) - distance(b),
} satisfies Record<string, (a: WatchedRow, b: WatchedRow) => number>
type WatchSort = keyof typeof SORTS

/** A row of the watchlist, as the page shows it. Money in cents. */
export type WatchedRow = {
  kind: 'set' | 'minifig'
  number: string
  title: string
  price: number | null
  source: string
  change: number | null
  changedAt: string | null
  target: number | null
  value: number | null
  state: TargetState
  /** When the target last caused an alert. */
  alertedAt: string | null
  /** Whether the price had met the target when it was set: then there is no alert. */
  wasMet: boolean
  /** The alert rule of the target. */
  ruleId: number | null
  isPaused: boolean
  isRetiring: boolean
  addedAt: string
}

/** Loads a page of the watchlist with the number of rows per filter. */
export async function loadWatchlist(context: Context, search: URLSearchParams) {
  const { accountId } = requireUser(context)
  const items = await readAs(getServices(context).db, accountId, (tx) => findWatchedItems(tx, accountId))
  const today = formatDay(utcDayOf(new Date()))
  const rows = items.map((item) => toRow(item, today))
  const filter = Object.hasOwn(WATCH_FILTERS, search.get('filter') ?? '')
    ? (search.get('filter') as WatchFilterName)
    : 'all'
  const sort = Object.hasOwn(SORTS, search.get('sort') ?? '') ? (search.get('sort') as WatchSort) : 'target'
  const matching = rows.filter(WATCH_FILTERS[filter]).sort(SORTS[sort])
  const offset = parseOffset(search.get('from'))
  return {
    filter,
    sort,
    offset,
    limit: PAGE_SIZE,
    total: matching.length,
    rows: matching.slice(offset, offset + PAGE_SIZE),
    counts: Object.fromEntries(
      Object.entries(WATCH_FILTERS).map(([name, matches]) => [name, rows.filter(matches).length]),
    ) as Record<WatchFilterName, number>,
  }
}

/** Watches an item, changes its target, pauses or removes it. Repeating a submission changes nothing. */
export async function changeWatchlist(context: Context, request: Request) {
  const { accountId } = requireUser(context)
  const { db } = getServices(context)
  const field = await readForm(request)
  const [kind, number] = [field('kind'), cleanText(field('number'))]
  const to = field('to') === '' ? '/watchlist' : safeRedirectPath(field('to'))
  if (kind !== 'set' && kind !== 'minifig') return actionError('Something went wrong. Please try again.')
  if (field('intent') === 'unwatch') {
    await writeAs(db, accountId, (tx) => unwatchItem(tx, accountId, { kind, number }))
    return redirect(to)
  }
  if (field('intent') === 'pause' || field('intent') === 'resume') {
    const isPaused = field('intent') === 'pause'
    await writeAs(db, accountId, (tx) => pauseRule(tx, accountId, parseId(field('rule')), isPaused))
    return redirect(to)
  }
  const target = parseTarget(field('target'))
  if (target === undefined) return actionError('Enter a valid target price, e.g. 12.50, or leave it blank.')
  const error = await writeAs(db, accountId, async (tx) => {
    if (!(await isWatched(tx, accountId, kind, number))) {
      const exceeded = await describeExceededLimit(tx, accountId, 'watched items', 1)
      if (exceeded !== undefined) return exceeded
    }
    return (await watchItem(tx, accountId, { kind, number, target })) ? undefined : `There’s no ${kind} ${number}.`
  })
  return error === undefined ? redirect(to) : actionError(error)
}

function toRow(item: WatchedItem, today: string): WatchedRow {
  const isRetiring = setStatus(item, today) === SET_STATUS.retiringSoon
  return {
    kind: item.kind,
    number: item.number,
    title: item.title,
    price: item.price_cents,
    source:
      item.kind === 'minifig'
        ? item.price_cents === null
          ? 'Too few sales'
          : 'Market value'
        : (item.retailer ?? 'Out of stock'),
    change: item.change_cents,
    changedAt: item.changed_at?.toISOString() ?? null,
    target: item.target_cents,
    value: item.value_cents,
    state: targetState(item.price_cents, item.target_cents),
    alertedAt: item.alerted_at?.toISOString() ?? null,
    wasMet: item.target_set_at !== null && item.changed_at !== null && item.changed_at < item.target_set_at,
    ruleId: item.rule_id,
    isPaused: item.is_paused === true,
    isRetiring: item.kind === 'set' && isRetiring,
    addedAt: item.created_at.toISOString(),
  }
}

function orLast(price: number | null): number {
  return price ?? Number.MAX_SAFE_INTEGER
}

/** How far a price is above its target, as a share of it. */
function distance({ price, target }: WatchedRow): number {
  return price === null || target === null ? Number.MAX_SAFE_INTEGER : price / target
}
