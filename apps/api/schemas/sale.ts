import { z } from 'zod'
import type { Catalog } from '../catalog/catalog.ts'
import type { findLedgerSales } from '@brickmark/core/portfolio/ledger-sale-queries'
import { cents, centsOrNull, usd, usdOrNull } from '@brickmark/core/primitives/money'
import { saleResult } from '@brickmark/core/portfolio/ledger-sale'
import { dateField, numberField, nullableNumberField, integerField, stringField } from './fields.ts'

export const SaleSchema = z
  .strictObject({
    id: integerField('Identifier of the sale.', 311),
    set_number: stringField('Set number.', '90001-1'),
    title: stringField('Title of the set.', 'Tidewater Lighthouse'),
    platform: stringField(
      'Where it was sold: `ebay`, `bricklink`, `amazon`, `walmart`, `facebook`, `mercari`, `whatnot`, `local` or `other`. An open list.',
      'ebay',
    ),
    sale_date: dateField('Day of the sale.', '2026-05-18'),
    quantity: integerField('Units sold.', 1),
    gross_proceeds_usd: numberField('What the buyer paid.', 129.99),
    platform_fees_usd: numberField('Fees of the platform.', 17.22),
    payment_fees_usd: numberField('Fees of the payment.', 0.4),
    shipping_cost_usd: numberField('What shipping cost the seller.', 12.1),
    net_proceeds_usd: numberField('Gross less fees and shipping.', 100.27),
    profit_loss_usd: nullableNumberField('Net less the cost of the units; null when that is not known.', 35.77),
    roi_pct: nullableNumberField('Profit in percent of the cost; null when the cost is not known or 0.', 55.46),
  })
  .meta({ id: 'Sale', description: 'A sale the account has recorded.' })

export function serializeSale(
  sale: Awaited<ReturnType<typeof findLedgerSales>>['sales'][number],
  catalog: Catalog,
): z.output<typeof SaleSchema> {
  const amounts = {
    gross: cents(sale.gross_proceeds_usd),
    platformFees: cents(sale.platform_fees_usd),
    paymentFees: cents(sale.payment_fees_usd),
    shipping: cents(sale.shipping_cost_usd),
    cost: centsOrNull(sale.cost_usd),
  }
  const { net, profit, roiPct } = saleResult(amounts)
  return {
    id: sale.id,
    set_number: sale.set_number,
    title: catalog.titleOf(sale.set_number),
    platform: sale.platform,
    sale_date: sale.sale_date,
    quantity: sale.quantity,
    gross_proceeds_usd: usd(amounts.gross),
    platform_fees_usd: usd(amounts.platformFees),
    payment_fees_usd: usd(amounts.paymentFees),
    shipping_cost_usd: usd(amounts.shipping),
    net_proceeds_usd: usd(net),
    profit_loss_usd: usdOrNull(profit),
    roi_pct: roiPct,
  }
}
