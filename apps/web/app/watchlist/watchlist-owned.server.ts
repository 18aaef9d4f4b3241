import type { RouterContextProvider } from 'react-router'
import { readAs } from '@brickmark/core/db/database'
import { findAverageCosts } from '@brickmark/core/portfolio/held-lot-queries'
import { findRetailExits, findRetailStates } from '@brickmark/core/market/retail/retail-state-queries'
import { findSets } from '@brickmark/core/catalog/set-queries'
import {
  CHANGED_WITHIN_PATTERN,
  splitIdentifiers,
  createWatchFilter,
  type WatchFilter,
} from '@brickmark/core/portfolio/retail-watch'
import { findLowestPrices } from '@brickmark/core/market/retail/retail-low-queries'
import { utcDayOf } from '@brickmark/core/primitives/calendar'
import { sortByNumber } from '@brickmark/core/catalog/set-number'
import type { RetailerPriceCell, WatchlistRow } from './watchlist-table.tsx'
import { cleanText, parseOffset } from '../request/input.server.ts'
import { getServices, requireUser } from '../request/context.server.ts'

type Context = Readonly<RouterContextProvider>

const LIMIT = 100

/** Loads the rows of GET /brickfolio/retail-watch in cents, with the applied filters and the errors of invalid ones. */
export async function loadOwnedPrices(context: Context, search: URLSearchParams) {
  const { accountId } = requireUser(context)
  const { filter, filters, errors } = parseWatchlistFilter(search)
  const offset = parseOffset(search.get('offset'))
  const matches = createWatchFilter(filter, new Date())
  const { held, rows } = await readAs(getServices(context).db, accountId, async (tx) => {
    const paid = await findAverageCosts(tx, accountId)
    const numbers = [...paid.keys()]
    const [sets, states, exits, lowestInDays] = await Promise.all([
      findSets(tx, numbers),
      findRetailStates(tx, numbers),
      findRetailExits(tx, numbers),
      findLowestPrices(tx, numbers, utcDayOf(new Date())),
    ])
    const statesOf = Map.groupBy(states, (state) => state.set_number)
    const exitOf = new Map(exits.map((exit) => [exit.set_number, exit]))
    const rows = sets.flatMap((set): WatchlistRow[] => {
      const own = statesOf.get(set.set_number) ?? []
      if (own.length === 0) return []
      if (!matches({ ...set, retail: Object.fromEntries(own.map((state) => [state.retailer, state])) })) return []
      const exit = exitOf.get(set.set_number)
      return [
        {
          setNumber: set.set_number,
          title: set.title,
          paid: paid.get(set.set_number) ?? null,
          a: toPriceCell(
            own.find(({ retailer }) => retailer === 'retailer_a'),
            lowestInDays,
          ),
          b: toPriceCell(
            own.find(({ retailer }) => retailer === 'retailer_b'),
            lowestInDays,
          ),
          resale: {
            lowest: exit?.lowest_fba_cents ?? null,
            sellers: exit?.fba_sellers ?? null,
            buyBox: exit?.buy_box_cents ?? null,
            net: exit?.net_fba_cents ?? null,
          },
        },
      ]
    })
    return { held: numbers.length, rows }
  })
  const sorted = sortByNumber(rows, ({ setNumber }) => setNumber)
  return {
    held,
    rows: sorted.slice(offset, offset + LIMIT),
    total: rows.length,
    offset,
    limit: LIMIT,
    filters,
    errors,
  }
}

function toPriceCell(
  state: Awaited<ReturnType<typeof findRetailStates>>[number] | undefined,
  lowestInDays: Awaited<ReturnType<typeof findLowestPrices>>,
): RetailerPriceCell | undefined {
  return (
    state && {
      name: state.retailer_name,
      price: state.price_cents,
      sellerType: state.seller_type,
      changedAt: state.changed_at?.toISOString() ?? null,
      change: state.last_change_cents,
      flipped: state.flip_1p_to_3p,
      lowestInDays: lowestInDays(state.set_number, state.retailer),
      lowest: state.lowest_cents,
      inStock: state.in_stock,
      checkedAt: state.last_checked_at.toISOString(),
    }
  )
}

/**
 * Parses the filter from the URL, which uses the API's parameter names. `filters` holds the parameters of the
 * equivalent API request; values the API would reject are omitted from it and reported in `errors`.
 */
function parseWatchlistFilter(search: URLSearchParams) {
  const param = (name: string) => cleanText(search.get(name)).slice(0, 4000)
  const filters: Record<string, string> = {}
  const errors: Record<string, string> = {}
  const filter: WatchFilter = {}
  const within = param('changed_within')
  if (CHANGED_WITHIN_PATTERN.test(within)) [filter.changedWithin, filters['changed_within']] = [within, within]
  else if (within !== '') errors['changed_within'] = 'Use a number followed by m, h or d, e.g. 24h.'
  const since = parseInstant(param('since'))
  if (since) [filter.since, filters['since']] = [since, since.toISOString()]
  else if (since === null) errors['since'] = 'Enter a date and time, e.g. 2026-06-27T00:00.'
  const [asins, upcs] = [splitIdentifiers(param('asin')), splitIdentifiers(param('upc'))]
  if (asins.length > 0) [filter.asins, filters['asin']] = [asins, asins.join(',')]
  if (upcs.length > 0) [filter.upcs, filters['upc']] = [upcs, upcs.join(',')]
  return { filter, filters, errors }
}

/** Parses a date and time, as UTC unless it has an offset; undefined if empty, null if invalid. */
function parseInstant(text: string): Date | null | undefined {
  if (text === '') return undefined
  const withOffset = /(Z|[+-]\d{2}:\d{2})$/i.test(text) ? text : `${text}Z`
  const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(withOffset) ? new Date(withOffset) : new Date(NaN)
  return Number.isNaN(instant.getTime()) ? null : instant
}
