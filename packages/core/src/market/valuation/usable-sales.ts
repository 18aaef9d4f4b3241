/** A sale as the estimator sees it: one item in one condition. Days since 1970-01-01, cents of one unit. */
export type MarketSale = {
  /** Unique for one sale of one source, however often it is sent. */
  id: string
  day: number
  unitCents: number
  quantity: number
  /** Null when the source does not tell: all such sales then count as one seller's, or one buyer's. */
  seller: string | null
  buyer: string | null
  /** What the source says against it. */
  flag: 'lot' | 'parts_only' | 'unknown_offer' | null
  returned: boolean
  /** Both parties have traded another item too. */
  sellerEstablished: boolean
  buyerEstablished: boolean
}

/** Older sales tell nothing of today. */
export const WINDOW_DAYS = 720
/** Of an item in a condition, no more than its newest sales count: with so many, older ones change nothing. */
export const MAX_SALES = 80
const REPEAT_DEAL_DAYS = 30

/** The newest sales that may count on day `asOf`, so that an item costs the same however often it was ever sold. */
export function latestSales(sales: readonly MarketSale[], asOf: number): MarketSale[] {
  return oldestFirst(sales, asOf).slice(-MAX_SALES)
}

/** The sales that may count on day `asOf`, oldest first: each once, none returned, declared odd, or later. */
export function usableSales(sales: readonly MarketSale[], asOf: number): MarketSale[] {
  const ids = new Set<string>()
  const dealsOf = new Map<string, MarketSale[]>()
  return oldestFirst(sales, asOf).filter((sale) => {
    if (ids.has(sale.id)) return false
    ids.add(sale.id)
    if (sale.buyer === null || sale.seller === null) return true
    const deals = dealsOf.get(sale.buyer)
    if (deals === undefined) dealsOf.set(sale.buyer, [sale])
    else if (deals.some((deal) => isRepeatDeal(deal, sale))) return false
    else deals.push(sale)
    return true
  })
}

function oldestFirst(sales: readonly MarketSale[], asOf: number): MarketSale[] {
  return sales.filter((sale) => isUsable(sale, asOf)).sort((a, b) => a.day - b.day)
}

// The same two parties again: the first deal fell through, or they send the same box to and fro.
function isRepeatDeal(deal: MarketSale, sale: MarketSale): boolean {
  return deal.seller === sale.seller && sale.day - deal.day <= REPEAT_DEAL_DAYS
}

function isUsable({ day, unitCents, flag, returned }: MarketSale, asOf: number): boolean {
  return day <= asOf && day > asOf - WINDOW_DAYS && unitCents > 0 && flag === null && !returned
}
