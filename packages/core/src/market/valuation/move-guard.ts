import type { MarketSale } from './usable-sales.ts'

/** A larger log move within 30 days must be supported by enough established sellers and buyers. */
const MAX_UNSUPPORTED_MOVE = 0.12
const MIN_PARTIES = 5
const SUPPORT_DAYS = 180

/** Whether a move between two log values is larger than the number of independent parties supports. */
export function isUnsupportedMove(
  from: number,
  to: number,
  { sales, logPrices }: { sales: readonly MarketSale[]; logPrices: Float64Array },
  asOf: number,
): boolean {
  if (Math.abs(to - from) <= MAX_UNSUPPORTED_MOVE) return false
  const middle = (from + to) / 2
  const sellers = new Set<string>()
  const buyers = new Set<string>()
  for (const [index, { day, seller, buyer, sellerEstablished, buyerEstablished }] of sales.entries()) {
    if (day <= asOf - SUPPORT_DAYS || logPrices[index]! > middle !== to > from) continue
    if (seller !== null && sellerEstablished) sellers.add(seller)
    if (buyer !== null && buyerEstablished) buyers.add(buyer)
  }
  return sellers.size < MIN_PARTIES || buyers.size < MIN_PARTIES
}
