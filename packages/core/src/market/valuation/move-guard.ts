import type { SaleObservation } from './usable-sales.ts'

/** A move beyond this (log) within 30 days must be borne out by parties who trade elsewhere too. */
const FREE_MOVE = 0.12
const PARTIES = 5
const SUPPORT_DAYS = 180

/** Whether a move from one log value to another is too large for the number of people behind it. */
export function isUnsupported(
  from: number,
  to: number,
  { sales, logPrices }: { sales: readonly SaleObservation[]; logPrices: Float64Array },
  asOf: number,
): boolean {
  if (Math.abs(to - from) <= FREE_MOVE) return false
  const middle = (from + to) / 2
  const sellers = new Set<string>()
  const buyers = new Set<string>()
  for (const [place, { day, seller, buyer, sellerKnown, buyerKnown }] of sales.entries()) {
    if (day <= asOf - SUPPORT_DAYS || logPrices[place]! > middle !== to > from) continue
    if (seller !== null && sellerKnown) sellers.add(seller)
    if (buyer !== null && buyerKnown) buyers.add(buyer)
  }
  return sellers.size < PARTIES || buyers.size < PARTIES
}
