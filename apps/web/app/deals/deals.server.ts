import type { RouterContextProvider } from 'react-router'
import { readAs } from '@brickmark/core/db/database'
import { MAX_FEE_BASIS_POINTS, maxBuyPrice } from '@brickmark/core/portfolio/buy-price'
import { isDealSort, rankDeals, type Deal, type DealFilter, type DealSort } from '@brickmark/core/portfolio/deals'
import { parsePrice } from '@brickmark/core/portfolio/lot'
import type { AccountSellingCosts } from '@brickmark/core/portfolio/selling-costs'
import { findSellingCosts } from '@brickmark/core/portfolio/selling-costs-queries'
import { findWatchedSets } from '@brickmark/core/portfolio/watched-item-queries'
import { formatDay, utcDayOf } from '@brickmark/core/primitives/calendar'
import { TARGET_RETURN_PCT } from './target-return.ts'
import { cleanText } from '../request/input.server.ts'
import { getServices, requireUser } from '../request/context.server.ts'

const LIMIT = 25
const DEFAULT_RETURN_PCT = 25

export type DealRow = Deal & {
  isWatched: boolean
  /** The price for a return of 30 %. */
  target: number | null
}

/** Loads a page of the deals that the URL asks for, ranked by the costs of the account or those in the URL. */
export async function loadDeals(context: Readonly<RouterContextProvider>, search: URLSearchParams) {
  const { accountId } = requireUser(context)
  const { db, dealCandidates } = getServices(context)
  const { candidates, setsInStock, checkedAt } = await dealCandidates()
  const today = formatDay(utcDayOf(new Date()))
  const query = parseDealQuery(search)
  const found = await readAs(db, accountId, async (tx) => {
    const { costs, errors } = parseCosts(search, await findSellingCosts(tx, accountId, today))
    const { deals, total, closest } = rankDeals(candidates, costs, query.filter, { ...query, limit: LIMIT })
    const numbers = deals.map(({ setNumber }) => setNumber)
    const watched = await findWatchedSets(tx, accountId, numbers)
    const rows = deals.map((deal): DealRow => ({
      ...deal,
      isWatched: watched.has(deal.setNumber),
      target: maxBuyPrice(deal.net, TARGET_RETURN_PCT),
    }))
    return { costs, errors, rows, total, closest }
  })
  const optionsOf = (name: 'theme' | 'retailer') => [...new Set(candidates.map((candidate) => candidate[name]))].sort()
  return {
    ...query,
    ...found,
    limit: LIMIT,
    hasCandidates: candidates.length > 0,
    setsInStock,
    checkedAt,
    themes: optionsOf('theme'),
    shops: optionsOf('retailer').map((retailer): [string, string] => [
      retailer,
      candidates.find((candidate) => candidate.retailer === retailer)!.retailerName,
    ]),
  }
}

/** Parses filters, order and page; what is invalid doesn't restrict. */
function parseDealQuery(search: URLSearchParams) {
  const text = (name: string) => cleanText(search.get(name))
  const returnPct = /^\d{1,4}$/.test(text('return')) ? Number(text('return')) : DEFAULT_RETURN_PCT
  const filter: DealFilter = {
    minReturnPct: returnPct,
    tier: text('confidence') === 'high' ? 'market' : undefined,
    maxPrice: parsePrice(text('max')),
    theme: text('theme') || undefined,
    retailer: text('shop') || undefined,
    isRetiringSoon: text('retiring') === 'yes' ? true : undefined,
    isLowest: text('lowest') === 'yes' ? true : undefined,
  }
  const column = text('by')
  const by: DealSort = isDealSort(column) ? column : 'profit'
  const offset = /^\d{1,6}$/.test(text('from')) ? Number(text('from')) : 0
  return { filter, by, descending: text('order') !== 'ascending', offset, open: search.get('open') }
}

/** The costs in the URL, field by field, or else those of the account. */
function parseCosts(search: URLSearchParams, savedCosts: AccountSellingCosts) {
  const errors: Record<string, string> = {}
  const parse = (name: string, fallback: number, max = Number.MAX_SAFE_INTEGER) => {
    const text = search.get(name)
    if (text === null) return fallback
    const cents = parsePrice(text)
    if (cents !== undefined && cents <= max) return cents
    errors[name] = cents === undefined ? 'Enter a number, e.g. 12.50.' : 'Enter at most 100.'
    return fallback
  }
  const costs: AccountSellingCosts = {
    feeBasisPoints: parse('fee', savedCosts.feeBasisPoints, MAX_FEE_BASIS_POINTS),
    fixedFee: parse('fixed', savedCosts.fixedFee),
    shippingByWeight: savedCosts.shippingByWeight.map((cents, index) => parse(`ship${index}`, cents)),
  }
  return { costs, errors }
}
