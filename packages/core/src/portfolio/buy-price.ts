import { percent } from '../primitives/money.ts'
import { saleResult } from './sale.ts'

/** Costs of selling one unit: a percentage fee, a fixed fee and shipping. In basis points and cents. */
export type SellingCosts = { feeBasisPoints: number; fixedFee: number; shipping: number }

/** 100 %: a fee can't exceed the price. */
export const MAX_FEE_BASIS_POINTS = 10_000

/** Returns what remains of a sale price after fees and shipping. */
export function netProceeds(price: number, { feeBasisPoints, fixedFee, shipping }: SellingCosts): number {
  const platformFees = Math.round((price * feeBasisPoints) / 10_000) + fixedFee
  return saleResult({ gross: price, platformFees, paymentFees: 0, shipping, cost: null }).net
}

/**
 * Returns the highest purchase price, to the cent, at which `net` is a return of at least `roiPct` percent; null if no
 * price qualifies.
 */
export function maxBuyPrice(net: number, roiPct: number): number | null {
  // Compute in integer hundredths of a percent, so that 130.00 at 30 % gives 100.00, not 99.99.
  const maxPrice = Math.floor((net * 10_000) / (10_000 + Math.round(roiPct * 100)))
  return maxPrice > 0 ? maxPrice : null
}

/** Returns the profit and ROI of buying at `price` and selling for `net`; the ROI is null if the price is 0. */
export function evaluateDeal(price: number, net: number): { profit: number; roiPct: number | null } {
  return { profit: net - price, roiPct: percent(net - price, price) }
}
