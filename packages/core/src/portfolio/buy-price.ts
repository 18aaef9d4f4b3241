import { percent } from '../primitives/money.ts'
import { saleResult } from './ledger-sale.ts'

/** What selling one unit costs: a share of the price, a fixed part of the fee, and shipping. Cents and basis points. */
export type SellingCosts = { feeBasisPoints: number; fixedFee: number; shipping: number }

/** What is left of a price after fees and shipping. */
export function netProceeds(price: number, { feeBasisPoints, fixedFee, shipping }: SellingCosts): number {
  const platformFees = Math.round((price * feeBasisPoints) / 10_000) + fixedFee
  return saleResult({ gross: price, platformFees, paymentFees: 0, shipping, cost: null }).net
}

/** The most one can pay, to the cent, so that `net` is at least a return of `roiPct` percent; null when no price will do. */
export function maxBuyPrice(net: number, roiPct: number): number | null {
  // In whole hundredths of a percent, so that 130.00 for 30 % is 100.00 and not a cent less.
  const maxPrice = Math.floor((net * 10_000) / (10_000 + Math.round(roiPct * 100)))
  return maxPrice > 0 ? maxPrice : null
}

/** What buying at a price comes to when it is sold for `net`; no percentage for what costs nothing. */
export function evaluateDeal(price: number, net: number): { profit: number; roiPct: number | null } {
  return { profit: net - price, roiPct: percent(net - price, price) }
}
