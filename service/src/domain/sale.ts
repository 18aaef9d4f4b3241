import { percent } from './money.ts'

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
