import type { RouterContextProvider } from 'react-router'
import { readAs, type Database } from '@brickmark/core/db/database'
import { findApiKeys } from '@brickmark/core/account/api-key-queries'
import { findRetailStates } from '@brickmark/core/market/retail/retail-state-queries'
import { findSets } from '@brickmark/core/catalog/set-queries'
import { findPlanAndReset } from '@brickmark/core/account/usage-queries'
import { utcDayOf, formatDay } from '@brickmark/core/primitives/calendar'
import {
  valueMovesSince,
  topMovers,
  type OwnershipInterval,
  type Mover,
  type ValueMove,
  type Period,
} from '@brickmark/core/portfolio/portfolio'
import { addSaleTotals, totalsResult } from '@brickmark/core/portfolio/sale'
import { sumSalesByMonth } from '@brickmark/core/portfolio/sale-queries'
import { findLowestPrices } from '@brickmark/core/market/retail/retail-low-queries'
import { changedSince } from '@brickmark/core/market/retail/retail-price'
import { getServices, requireUser } from '../request/context.server.ts'
import { loadPortfolio, summarizePerformance } from '../collection/portfolio.server.ts'

type Context = Readonly<RouterContextProvider>

const MAX_MOVERS = 5
const MAX_PRICE_CHANGES = 8
const WEEK_MS = 7 * 86_400_000

/** Loads the overview page from one database snapshot. `lastVisit` is the end of the previous visit. */
export async function loadOverview(context: Context, period: Period, lastVisit: Date | undefined, now: Date) {
  const { accountId } = requireUser(context)
  const today = utcDayOf(now)
  return readAs(getServices(context).db, accountId, async (tx) => {
    const [portfolio, sold, quota] = await Promise.all([
      loadPortfolio(tx, accountId, { period, today }),
      loadSold(tx, accountId, now.getUTCFullYear()),
      loadQuota(tx, accountId),
    ])
    const { days, investments, valuePoints, asOf } = portfolio
    const { held, ...performance } = summarizePerformance(portfolio, today)
    const movers = topMovers(held)
    const moves = valueMovesSince(days[0]!, today, investments, valuePoints)
    const [up, down] = [moves.up.slice(0, MAX_MOVERS), moves.down.slice(0, MAX_MOVERS)]
    const changes = await loadPriceChanges(tx, investments, lastVisit ?? new Date(now.getTime() - WEEK_MS), today)
    const titleOf = await loadTitles(tx, [...up, ...down, ...changes.rows, movers.gainer, movers.loser])
    return {
      period,
      asOf,
      today: formatDay(today),
      empty: portfolio.holdings.length === 0,
      ...performance,
      sold,
      best: withTitle(movers.gainer, titleOf),
      worst: withTitle(movers.loser, titleOf),
      up: up.map((move) => toMoverRow(move, titleOf)),
      down: down.map((move) => toMoverRow(move, titleOf)),
      changes: {
        since: lastVisit?.toISOString() ?? null,
        total: changes.total,
        rows: changes.rows.map((row) => ({ ...row, title: titleOf(row.setNumber) })),
      },
      quota,
    }
  })
}

/** Loads the totals of one year's sales. */
async function loadSold(tx: Database, accountId: number, year: number) {
  const totals = addSaleTotals(await sumSalesByMonth(tx, accountId, { year }))
  return { year, totals, result: totalsResult(totals) }
}

/** Loads today's usage and quota per active key. */
async function loadQuota(tx: Database, accountId: number) {
  const [clock, keys] = await Promise.all([findPlanAndReset(tx, accountId), findApiKeys(tx, accountId)])
  return {
    now: clock.now.toISOString(),
    resetsAt: clock.resets_at.toISOString(),
    limit: clock.daily_limit,
    apiAccess: clock.api_access,
    hasCalled: keys.some((key) => key.last_request_at !== null),
    keys: keys
      .filter((key) => key.state === 'active')
      .map((key) => ({ id: key.id, name: key.name, used: key.used_today })),
  }
}

/** Loads retail price changes of owned sets since a point in time, newest first. */
async function loadPriceChanges(tx: Database, investments: OwnershipInterval[], since: Date, today: number) {
  const held = new Set(investments.filter(({ to }) => to === null).map(({ setNumber }) => setNumber))
  const changed = (await findRetailStates(tx, [...held]))
    .filter((state) => changedSince(state.changed_at, since))
    .sort((a, b) => b.changed_at!.getTime() - a.changed_at!.getTime() || (a.set_number < b.set_number ? -1 : 1))
  const shown = changed.slice(0, MAX_PRICE_CHANGES)
  const numbers = shown.map(({ set_number }) => set_number)
  const lowestInDays = await findLowestPrices(tx, numbers, today)
  return {
    total: changed.length,
    rows: shown.map((state) => ({
      setNumber: state.set_number,
      retailer: state.retailer_name,
      price: state.price_cents,
      change: state.last_change_cents,
      changedAt: state.changed_at!.toISOString(),
      lowestInDays: lowestInDays(state.set_number, state.retailer),
      thirdPartyOnly: state.flip_1p_to_3p,
    })),
  }
}

type TitleOf = (setNumber: string) => string

async function loadTitles(tx: Database, withTitle: ({ setNumber: string } | null)[]): Promise<TitleOf> {
  const numbers = new Set(withTitle.flatMap((mover) => mover?.setNumber ?? []))
  const titles = new Map((await findSets(tx, [...numbers])).map((set) => [set.set_number, set.title]))
  return (setNumber) => titles.get(setNumber) ?? setNumber
}

function withTitle(mover: Mover | null, titleOf: TitleOf) {
  return mover && { ...mover, title: titleOf(mover.setNumber) }
}

function toMoverRow({ setNumber, condition, now, ratio, impact }: ValueMove, titleOf: TitleOf) {
  return {
    setNumber,
    title: titleOf(setNumber),
    condition,
    now,
    ratio,
    portfolioImpact: impact,
  }
}
