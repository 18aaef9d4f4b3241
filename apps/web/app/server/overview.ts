import type { RouterContextProvider } from 'react-router'
import { readAs, type Database } from '@brickmark/core/db/database'
import { findApiKeys } from '@brickmark/core/account/api-key-queries'
import { findRetailStates } from '@brickmark/core/market/retail-state-queries'
import { findSets } from '@brickmark/core/catalog/set-queries'
import { findQuotaClock } from '@brickmark/core/account/usage-queries'
import { centsOrNull } from '@brickmark/core/primitives/money'
import { dayOf, dayText } from '@brickmark/core/primitives/calendar'
import {
  daysOf,
  gainOf,
  movesSince,
  portfolioHistory,
  topMovers,
  totalsOf,
  unvaluedUnits,
  type HoldingInterval,
  type Mover,
  type Move,
  type Period,
} from '@brickmark/core/portfolio/portfolio'
import { changedSince } from '@brickmark/core/market/retail-price'
import { flowsOf, timeWeightedReturn, xirr } from '@brickmark/core/portfolio/portfolio-returns'
import { servicesOf, signedIn } from './context.ts'
import { readPortfolio } from './portfolio.ts'

type Context = Readonly<RouterContextProvider>

/** A year's rate from less than this says more about chance than about the year. */
const YEARLY_AFTER_DAYS = 90
const LISTED = 5
const CHANGES_LISTED = 8
const WEEK_MS = 7 * 86_400_000

export const PERIODS = ['30d', '90d', '1y'] as const satisfies Period[]

/** Everything the overview shows, read in one snapshot of the database. `before` is when the visit before this one ended. */
export async function overviewPage(context: Context, period: Period, before: Date | undefined, now: Date) {
  const { accountId } = signedIn(context)
  const today = dayOf(now)
  const days = daysOf(period, today)
  const first = days[0]!
  return readAs(servicesOf(context).db, accountId, async (as) => {
    const [{ investments, valueOf, pointsOf, asOf }, quota] = await Promise.all([
      readPortfolio(as, accountId, first, today),
      readQuota(as, accountId),
    ])
    const { history, held } = portfolioHistory(investments, days, pointsOf)
    const [totals, movers] = [totalsOf(held), topMovers(held)]
    const moves = movesSince(first, today, investments, pointsOf)
    const [up, down] = [moves.up.slice(0, LISTED), moves.down.slice(0, LISTED)]
    const changes = await readChanges(as, investments, before ?? new Date(now.getTime() - WEEK_MS))
    const titleOf = await titlesOf(as, [...up, ...down, ...changes.rows, movers.gainer, movers.loser])
    const everyDay = Array.from({ length: today - first + 1 }, (_, place) => first + place)
    const firstBought = Math.min(...investments.map(({ from }) => from))
    return {
      period,
      asOf,
      today: dayText(today),
      empty: investments.length === 0,
      totals,
      gain: gainOf(totals.value, totals.cost),
      unvalued: unvaluedUnits(held),
      best: named(movers.gainer, titleOf),
      worst: named(movers.loser, titleOf),
      history: history.map(({ day, value, cost }) => ({ day: dayText(day), value, cost })),
      up: up.map((move) => shownMove(move, titleOf)),
      down: down.map((move) => shownMove(move, titleOf)),
      changes: {
        since: before?.toISOString() ?? null,
        total: changes.total,
        rows: changes.rows.map((row) => ({ ...row, title: titleOf(row.setNumber) })),
      },
      returns: {
        yearly: today - firstBought < YEARLY_AFTER_DAYS ? null : xirr(flowsOf(investments, valueOf, today)),
        since: investments.length === 0 ? null : dayText(firstBought),
        overPeriod: timeWeightedReturn(investments, everyDay, pointsOf),
      },
      quota,
    }
  })
}

/** What each active key has used of its day. */
async function readQuota(as: Database, accountId: number) {
  const [clock, keys] = await Promise.all([findQuotaClock(as, accountId), findApiKeys(as, accountId)])
  return {
    now: clock.now.toISOString(),
    resetsAt: clock.resets_at.toISOString(),
    limit: clock.daily_limit,
    keys: keys
      .filter((key) => key.state === 'active')
      .map((key) => ({ id: key.id, name: key.name, used: key.used_today })),
  }
}

/** Prices at retailers of what is held that changed since, the latest first. */
async function readChanges(as: Database, investments: HoldingInterval[], since: Date) {
  const held = new Set(investments.filter(({ to }) => to === null).map(({ setNumber }) => setNumber))
  const changed = (await findRetailStates(as, [...held]))
    .filter((state) => changedSince(state.changed_at, since))
    .sort((a, b) => b.changed_at!.getTime() - a.changed_at!.getTime() || (a.set_number < b.set_number ? -1 : 1))
  return {
    total: changed.length,
    rows: changed.slice(0, CHANGES_LISTED).map((state) => ({
      setNumber: state.set_number,
      retailer: state.retailer_name,
      price: centsOrNull(state.price_usd),
      change: centsOrNull(state.last_change_usd),
      changedAt: state.changed_at!.toISOString(),
      atLowest: state.at_lowest,
      flipped: state.flip_1p_to_3p,
    })),
  }
}

type TitleOf = (setNumber: string) => string

async function titlesOf(as: Database, named: ({ setNumber: string } | null)[]): Promise<TitleOf> {
  const numbers = new Set(named.flatMap((one) => one?.setNumber ?? []))
  const titles = new Map((await findSets(as, [...numbers])).map((set) => [set.set_number, set.title]))
  return (setNumber) => titles.get(setNumber) ?? setNumber
}

function named(mover: Mover | null, titleOf: TitleOf) {
  return mover && { ...mover, title: titleOf(mover.setNumber) }
}

function shownMove({ setNumber, condition, before, now, effect }: Move, titleOf: TitleOf) {
  return { setNumber, title: titleOf(setNumber), condition, now, effect, pct: gainOf(now, before).pct }
}
