import type { Platform } from '../market/fees/platform.ts'
import { percent } from '../primitives/money.ts'
import type { LotAllocation } from './lot-allocation.ts'

/** Amounts of a sale in cents; `cost` is null if the cost of the sold units is unknown. */
export type SaleAmounts = {
  gross: number
  platformFees: number
  paymentFees: number
  shipping: number
  cost: number | null
}

/** A recorded sale. `item` is the number of the set, unless something else was sold. `date` is 'YYYY-MM-DD'. */
export type RecordedSale = SaleAmounts & {
  id: number
  item: string
  platform: Platform
  date: string
  quantity: number
}

/** Returns net proceeds, profit and ROI of a sale. Net + fees + shipping always equals gross. */
export function saleResult(sale: SaleAmounts): { net: number; profit: number | null; roiPct: number | null } {
  const net = sale.gross - sale.platformFees - sale.paymentFees - sale.shipping
  if (sale.cost === null) return { net, profit: null, roiPct: null }
  const profit = net - sale.cost
  return { net, profit, roiPct: percent(profit, sale.cost) }
}

/**
 * Totals of several sales, in cents. `gross`, `fees` and `shipping` cover all of them; `cost` covers those whose cost is
 * known, and `netWithoutCost` is the net proceeds of the others.
 */
export type SaleTotals = {
  sales: number
  units: number
  gross: number
  fees: number
  shipping: number
  cost: number
  salesWithoutCost: number
  netWithoutCost: number
}

/** Adds up totals, for example of several months. */
export function addSaleTotals(parts: SaleTotals[]): SaleTotals {
  const sum = { sales: 0, units: 0, gross: 0, fees: 0, shipping: 0, cost: 0, salesWithoutCost: 0, netWithoutCost: 0 }
  for (const part of parts) {
    for (const name of Object.keys(sum) as (keyof SaleTotals)[]) sum[name] += part[name]
  }
  return sum
}

/**
 * Returns net proceeds of all sales, and profit and ROI of those whose cost is known; both null if it is known of none.
 * Profit = gross − fees − shipping − cost − net of the sales without a cost.
 */
export function totalsResult(totals: SaleTotals): { net: number; profit: number | null; roiPct: number | null } {
  const net = totals.gross - totals.fees - totals.shipping
  if (totals.salesWithoutCost === totals.sales) return { net, profit: null, roiPct: null }
  const profit = net - totals.cost - totals.netWithoutCost
  return { net, profit, roiPct: percent(profit, totals.cost) }
}

/** A recorded sale, in cents. `cost` is null if unknown; `allocations` is empty if the units come from no lot. */
export type Sale = {
  platform: Platform
  /** YYYY-MM-DD */
  date: string
  quantity: number
  gross: number
  platformFees: number
  paymentFees: number
  shipping: number
  cost: number | null
  allocations: LotAllocation[]
}
