import { evaluateDeal, netProceeds } from './buy-price.ts'
import { costsOfItem, type AccountSellingCosts } from './selling-costs.ts'

/** A set that a shop has in stock, below its value. Money in cents. */
export type DealCandidate = {
  setNumber: string
  title: string
  theme: string
  boxWeightLbs: number | null
  isRetiringSoon: boolean
  /** Of a sealed copy. */
  value: number
  low: number | null
  /** Values that rest on no sales aren't ranked. */
  tier: 'market' | 'thin'
  retailer: string
  retailerName: string
  price: number
  /** Another seller than the shop itself asks this price. */
  isThirdParty: boolean
  checkedAt: string
  /** For how many days prices are known of which this one is the lowest; null if it isn't a low. */
  lowestInDays: number | null
}

/** What a reader wants to see; undefined doesn't restrict. */
export type DealFilter = {
  minReturnPct?: number | undefined
  tier?: 'market' | undefined
  maxPrice?: number | undefined
  theme?: string | undefined
  retailer?: string | undefined
  isRetiringSoon?: true | undefined
  isLowest?: true | undefined
}

/** What is left of buying at the shop's price and selling at the value, or at the low end of its range. */
export type Deal = DealCandidate & {
  fees: number
  shipping: number
  net: number
  profit: number
  returnPct: number
  lowNet: number | null
  lowProfit: number | null
}

/** What deals can be ranked by. */
const SORTS = {
  profit: ({ profit }) => profit,
  return: ({ returnPct }) => returnPct,
  price: ({ candidate }) => candidate.price,
  net: ({ net }) => net,
} satisfies Record<string, (ranked: Ranked) => number>
export type DealSort = keyof typeof SORTS

/** Only the deals of a page are worked out in full. */
type Ranked = { candidate: DealCandidate; net: number; profit: number; returnPct: number }

export function isDealSort(name: string): name is DealSort {
  return Object.hasOwn(SORTS, name)
}

/**
 * Ranks sets by what is left after the account's selling costs: each set at its cheapest shop, and only with a profit. Returns
 * a page of them. `closest` is the best of those that `minReturnPct` keeps out, if it keeps out all.
 */
export function rankDeals(
  candidates: readonly DealCandidate[],
  costs: AccountSellingCosts,
  { minReturnPct = 0, ...filter }: DealFilter,
  { by = 'profit', descending = true, offset = 0, limit = Infinity }: DealPage = {},
): { deals: Deal[]; total: number; closest: Deal | undefined } {
  const cheapest = new Map<string, DealCandidate>()
  for (const candidate of candidates) {
    if (!matches(candidate, filter)) continue
    const other = cheapest.get(candidate.setNumber)
    if (other === undefined || candidate.price < other.price) cheapest.set(candidate.setNumber, candidate)
  }
  const ranked: Ranked[] = []
  let closest: Ranked | undefined
  for (const candidate of cheapest.values()) {
    const net = netProceeds(candidate.value, costsOfItem(costs, candidate.boxWeightLbs))
    const { profit, roiPct } = evaluateDeal(candidate.price, net)
    if (profit <= 0) continue
    const found = { candidate, net, profit, returnPct: roiPct! }
    if (found.returnPct >= minReturnPct) ranked.push(found)
    else if (closest === undefined || found.returnPct > closest.returnPct) closest = found
  }
  const direction = descending ? -1 : 1
  const keyOf = SORTS[by]
  ranked.sort((a, b) => direction * (keyOf(a) - keyOf(b)) || (a.candidate.setNumber < b.candidate.setNumber ? -1 : 1))
  return {
    deals: ranked.slice(offset, offset + limit).map((deal) => toDeal(deal, costs)),
    total: ranked.length,
    closest: ranked.length > 0 || closest === undefined ? undefined : toDeal(closest, costs),
  }
}

export type DealPage = { by?: DealSort; descending?: boolean; offset?: number; limit?: number }

function matches(candidate: DealCandidate, filter: Omit<DealFilter, 'minReturnPct'>): boolean {
  const { tier, maxPrice, theme, retailer, isRetiringSoon, isLowest } = filter
  return (
    (tier === undefined || candidate.tier === tier) &&
    (maxPrice === undefined || candidate.price <= maxPrice) &&
    (theme === undefined || candidate.theme === theme) &&
    (retailer === undefined || candidate.retailer === retailer) &&
    (isRetiringSoon === undefined || candidate.isRetiringSoon) &&
    (isLowest === undefined || candidate.lowestInDays !== null)
  )
}

function toDeal({ candidate, net, profit, returnPct }: Ranked, accountCosts: AccountSellingCosts): Deal {
  const { price, value, low, boxWeightLbs } = candidate
  const costs = costsOfItem(accountCosts, boxWeightLbs)
  const lowNet = low === null ? null : netProceeds(low, costs)
  return {
    ...candidate,
    shipping: costs.shipping,
    fees: value - costs.shipping - net,
    net,
    profit,
    returnPct,
    lowNet,
    lowProfit: lowNet === null ? null : lowNet - price,
  }
}
