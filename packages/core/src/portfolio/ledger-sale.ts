import type { Platform } from '../market/platform.ts'
import { percent } from '../primitives/money.ts'
import type { LotAllocation } from './lot-allocation.ts'

/** What a sale brought, in cents; `cost` is null when the cost of the units sold is not known. */
export type SaleAmounts = {
  gross: number
  platformFees: number
  paymentFees: number
  shipping: number
  cost: number | null
}

/** Net proceeds, profit and return of a sale: net + fees + shipping is always gross again. */
export function saleResult(sale: SaleAmounts): { net: number; profit: number | null; roiPct: number | null } {
  const net = sale.gross - sale.platformFees - sale.paymentFees - sale.shipping
  if (sale.cost === null) return { net, profit: null, roiPct: null }
  const profit = net - sale.cost
  return { net, profit, roiPct: percent(profit, sale.cost) }
}

/** Several sales together, in cents. `cost` and `netOfKnown` are of the sales whose cost is known. */
export type SaleTotals = {
  sales: number
  units: number
  gross: number
  fees: number
  shipping: number
  cost: number
  netWithKnownCost: number
  /** Sales whose cost is not known: they count in all but profit and return. */
  unknownCostCount: number
}

/** Net proceeds of all of them; profit and return of those whose cost is known, null when that is none. */
export function totalsResult(sums: SaleTotals): { net: number; profit: number | null; roiPct: number | null } {
  const net = sums.gross - sums.fees - sums.shipping
  if (sums.unknownCostCount === sums.sales) return { net, profit: null, roiPct: null }
  const profit = sums.netWithKnownCost - sums.cost
  return { net, profit, roiPct: percent(profit, sums.cost) }
}

/** A sale as it is kept; cents. `cost` is null when it is not known, `takes` empty when the units come from no lot. */
export type LedgerSale = {
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
