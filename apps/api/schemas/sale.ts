import { z } from 'zod'
import { PLATFORMS } from '@brickmark/core/market/fees/platform'
import type { Catalog } from '../catalog/catalog.ts'
import { usd, usdOrNull } from '@brickmark/core/primitives/money'
import { saleResult, type RecordedSale } from '@brickmark/core/portfolio/sale'
import { dateField, numberField, nullableNumberField, integerField, openEnumField, stringField } from './fields.ts'

export const SaleSchema = z
  .strictObject({
    id: integerField('Sale ID.', 311),
    set_number: stringField('Set number.', '90001-1'),
    title: stringField('Title of the set.', 'Tidewater Lighthouse'),
    platform: openEnumField([...PLATFORMS], 'Where it was sold.', 'ebay'),
    sale_date: dateField('Sale date.', '2026-05-18'),
    quantity: integerField('Units sold.', 1),
    gross_proceeds_usd: numberField('Gross proceeds: what the buyer paid.', 129.99),
    platform_fees_usd: numberField('Platform fees.', 17.22),
    payment_fees_usd: numberField('Payment processing fees.', 0.4),
    shipping_cost_usd: numberField('Shipping cost.', 12.1),
    net_proceeds_usd: numberField('Gross proceeds minus fees and shipping.', 100.27),
    profit_loss_usd: nullableNumberField('Net proceeds minus cost basis; null if the cost is unknown.', 35.77),
    roi_pct: nullableNumberField('Profit as a percentage of cost basis; null if the cost is unknown or 0.', 55.46),
  })
  .meta({ id: 'Sale', description: 'A recorded sale.' })

/** Serializes a sale with the title of its set. */
export function serializeSale(sale: RecordedSale, catalog: Catalog): z.output<typeof SaleSchema> {
  const { net, profit, roiPct } = saleResult(sale)
  return {
    id: sale.id,
    set_number: sale.item,
    title: catalog.titleOf(sale.item),
    platform: sale.platform,
    sale_date: sale.date,
    quantity: sale.quantity,
    gross_proceeds_usd: usd(sale.gross),
    platform_fees_usd: usd(sale.platformFees),
    payment_fees_usd: usd(sale.paymentFees),
    shipping_cost_usd: usd(sale.shipping),
    net_proceeds_usd: usd(net),
    profit_loss_usd: usdOrNull(profit),
    roi_pct: roiPct,
  }
}
