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

/** A recorded sale. `date` is 'YYYY-MM-DD'. */
export type RecordedSale = SaleAmounts & {
  id: number
  setNumber: string
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

/** Totals of several sales, in cents. `cost` and `netWithKnownCost` cover only the sales whose cost is known. */
export type SaleTotals = {
  sales: number
  units: number
  gross: number
  fees: number
  shipping: number
  cost: number
  netWithKnownCost: number
  /** Sales whose cost is unknown; included in everything but profit and ROI. */
  unknownCostCount: number
}

/** Returns net proceeds of all sales, and profit and ROI of those with known cost; both null if there are none. */
export function totalsResult(totals: SaleTotals): { net: number; profit: number | null; roiPct: number | null } {
  const net = totals.gross - totals.fees - totals.shipping
  if (totals.unknownCostCount === totals.sales) return { net, profit: null, roiPct: null }
  const profit = totals.netWithKnownCost - totals.cost
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
