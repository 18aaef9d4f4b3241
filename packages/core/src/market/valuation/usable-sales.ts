/** A market sale of one item in one condition, as the estimator sees it. Days since 1970-01-01, cents per unit. */
export type MarketSale = {
  /** Identifies one sale of one source, even if it is sent several times. */
  id: string
  day: number
  unitCents: number
  quantity: number
  /** Null if the source omits it. */
  seller: string | null
  buyer: string | null
  /** Why the source marks the sale as not comparable. */
  flag: 'lot' | 'parts_only' | 'unknown_offer' | null
  returned: boolean
  /** Whether the seller, or the buyer, has also traded another item. */
  sellerEstablished: boolean
  buyerEstablished: boolean
}

/** Older sales are ignored: they carry no information about today's value. */
export const WINDOW_DAYS = 720
/** Only this many of the newest sales of an item in a condition are used; with that many, older ones change nothing. */
export const MAX_SALES = 80
/** Of one seller at most this many, so that nobody can push the sales of others out of the newest ones. */
const MAX_SALES_PER_SELLER = 12
/** How many sales have to be read to find the newest usable ones. */
export const MAX_SALES_READ = 3 * MAX_SALES
const REPEAT_DEAL_DAYS = 30

/**
 * Returns the newest usable sales on day `asOf`, a limited number of each seller. That bounds the cost of valuing an item
 * with many sales.
 */
export function latestSales(sales: readonly MarketSale[], asOf: number): MarketSale[] {
  const newestFirst = oldestFirst(sales, asOf).slice(-MAX_SALES_READ).toReversed()
  const salesBySeller = new Map<string, number>()
  const latest: MarketSale[] = []
  for (const sale of newestFirst) {
    if (latest.length === MAX_SALES) break
    if (sale.seller !== null) {
      const count = (salesBySeller.get(sale.seller) ?? 0) + 1
      salesBySeller.set(sale.seller, count)
      if (count > MAX_SALES_PER_SELLER) continue
    }
    latest.push(sale)
  }
  return latest.toReversed()
}

/** Returns the usable sales on day `asOf`, oldest first: without duplicates, returns, flagged and later sales. */
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

// The same two parties trading again: either the first deal fell through, or they are trading one box back and forth.
function isRepeatDeal(earlierSale: MarketSale, sale: MarketSale): boolean {
  return earlierSale.seller === sale.seller && sale.day - earlierSale.day <= REPEAT_DEAL_DAYS
}

function isUsable({ day, unitCents, flag, returned }: MarketSale, asOf: number): boolean {
  return day <= asOf && day > asOf - WINDOW_DAYS && unitCents > 0 && flag === null && !returned
}
