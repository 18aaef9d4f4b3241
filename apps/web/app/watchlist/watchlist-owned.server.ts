import type { RouterContextProvider } from 'react-router'
import { readAs } from '@brickmark/core/db/database'
import type { Condition } from '@brickmark/core/catalog/condition'
import { findSets } from '@brickmark/core/catalog/set-queries'
import { SET_STATUS, setStatus } from '@brickmark/core/catalog/set-status'
import { findPriceRanges } from '@brickmark/core/market/retail/retail-day-queries'
import { findLowestPrices } from '@brickmark/core/market/retail/retail-low-queries'
import { findRetailStates } from '@brickmark/core/market/retail/retail-state-queries'
import { findSetValues } from '@brickmark/core/market/values/value-queries'
import { netProceeds } from '@brickmark/core/portfolio/buy-price'
import { findAllHeldLots } from '@brickmark/core/portfolio/held-lot-queries'
import { summarizeOwnedSets, type OwnedSet } from '@brickmark/core/portfolio/owned-set'
import { costsOfItem } from '@brickmark/core/portfolio/selling-costs'
import { findSellingCosts } from '@brickmark/core/portfolio/selling-costs-queries'
import { formatDay, utcDayOf } from '@brickmark/core/primitives/calendar'
import { parseOffset } from '../request/input.server.ts'
import { getServices, requireUser } from '../request/context.server.ts'

type Context = Readonly<RouterContextProvider>

const LIMIT = 50
const DAY_MS = 86_400_000

type RetailState = Awaited<ReturnType<typeof findRetailStates>>[number]

/** A price at a retailer, in cents. */
type Offer = { price: number; retailer: string; retailerName: string }

/** The copies of a set in one condition, with what retailers ask for the set. Money in cents. */
export type OwnedRow = OwnedSet & {
  title: string
  /** The lowest price that can be paid now. */
  offer: Offer | null
  /** What the retailer that had it last asked, if it is out of stock. */
  lastOffer: Offer | null
  /** The latest change of a price at any retailer. */
  move: { change: number; at: string } | null
  /** For how many days prices are known of which `offer` is the lowest; null if it isn't a low. */
  lowestInDays: number | null
  isThirdPartyOnly: boolean
  /** No retailer is known to sell the set. */
  isUntracked: boolean
  isRetired: boolean
  /** The lowest and the highest price that was ever seen. Known of the rows of the page. */
  range: { lowest: number; highest: number } | null
}

const FILTERS = {
  all: () => true,
  moved: ({ move }, now) => move !== null && now - Date.parse(move.at) < DAY_MS,
  lowest: ({ lowestInDays }) => lowestInDays !== null,
  third_party: ({ isThirdPartyOnly }) => isThirdPartyOnly,
  out_of_stock: ({ isUntracked, offer }) => !isUntracked && offer === null,
} satisfies Record<string, (row: OwnedRow, now: number) => boolean>
export type OwnedFilter = keyof typeof FILTERS

/** Loads a page of the sets an account owns with retail prices, the latest change first. */
export async function loadOwnedPrices(context: Context, search: URLSearchParams) {
  const { accountId } = requireUser(context)
  const now = new Date()
  const today = utcDayOf(now)
  const filter = Object.hasOwn(FILTERS, search.get('filter') ?? '') ? (search.get('filter') as OwnedFilter) : 'all'
  const offset = parseOffset(search.get('from'))
  return readAs(getServices(context).db, accountId, async (tx) => {
    const lots = await findAllHeldLots(tx, accountId)
    const numbers = [...new Set(lots.map(({ setNumber }) => setNumber))]
    const [sets, values, states, lowestInDays, costs] = await Promise.all([
      findSets(tx, numbers),
      findSetValues(tx, numbers),
      findRetailStates(tx, numbers),
      findLowestPrices(tx, numbers, today),
      findSellingCosts(tx, accountId, formatDay(today)),
    ])
    const setOf = new Map(sets.map((set) => [set.set_number, set]))
    const valueOf = new Map(values.map((row) => [`${row.condition} ${row.set_number}`, row.value_cents]))
    const weightOf = (setNumber: string) => {
      const weight = setOf.get(setNumber)?.box_weight_lbs ?? null
      return weight === null ? null : Number(weight)
    }
    const statesOf = Map.groupBy(states, (state) => state.set_number)
    const { sets: owned, totals } = summarizeOwnedSets(lots, (setNumber: string, condition: Condition) => {
      const value = valueOf.get(`${condition} ${setNumber}`) ?? null
      return value === null ? null : netProceeds(value, costsOfItem(costs, weightOf(setNumber)))
    })
    const rows = owned.map((own): OwnedRow => {
      const set = setOf.get(own.setNumber)!
      const offers = offersOf(statesOf.get(own.setNumber) ?? [])
      const low = offers.offer && lowestInDays(own.setNumber, offers.offer.retailer)
      const isRetired = setStatus(set, formatDay(today)) === SET_STATUS.retired
      return { ...own, ...offers, title: set.title, lowestInDays: low, isRetired, range: null }
    })
    const matching = rows.filter((row) => FILTERS[filter](row, now.getTime())).sort(byMove)
    const shown = matching.slice(offset, offset + LIMIT)
    const ranges = await findPriceRanges(
      tx,
      shown.map(({ setNumber }) => setNumber),
    )
    const weekAgo = now.getTime() - 7 * DAY_MS
    return {
      filter,
      offset,
      limit: LIMIT,
      total: matching.length,
      rows: shown.map((row) => ({ ...row, range: ranges.get(row.setNumber) ?? null })),
      counts: Object.fromEntries(
        Object.entries(FILTERS).map(([name, matches]) => [
          name,
          rows.filter((row) => matches(row, now.getTime())).length,
        ]),
      ) as Record<OwnedFilter, number>,
      movedThisWeek: rows.filter(({ move }) => move !== null && Date.parse(move.at) >= weekAgo).length,
      totals,
      costs,
      asOf: states
        .map((state) => state.last_checked_at.toISOString())
        .sort()
        .at(-1),
    }
  })
}

/** The latest change first, then the sets of which no price has changed, by title. */
function byMove(a: OwnedRow, b: OwnedRow): number {
  return (b.move?.at ?? '').localeCompare(a.move?.at ?? '') || a.title.localeCompare(b.title, 'en')
}

function offersOf(states: RetailState[]) {
  const inStock = states
    .filter((state) => state.in_stock !== false && state.price_cents !== null)
    .sort((a, b) => a.price_cents! - b.price_cents!)
  const [last] = states
    .filter((state) => state.last_price_cents !== null)
    .sort((a, b) => b.last_checked_at.getTime() - a.last_checked_at.getTime())
  const moved = states
    .filter((state) => state.changed_at !== null && state.last_change_cents !== null)
    .sort((a, b) => b.changed_at!.getTime() - a.changed_at!.getTime())[0]
  return {
    offer: inStock[0] ? toOffer(inStock[0], inStock[0].price_cents!) : null,
    lastOffer: inStock.length === 0 && last ? toOffer(last, last.last_price_cents!) : null,
    move: moved ? { change: moved.last_change_cents!, at: moved.changed_at!.toISOString() } : null,
    isThirdPartyOnly: inStock.length > 0 && inStock.every((state) => state.seller_type === 'third_party'),
    isUntracked: states.length === 0,
  }
}

function toOffer({ retailer, retailer_name }: RetailState, price: number): Offer {
  return { price, retailer, retailerName: retailer_name }
}
