import { z } from 'zod'
import type { Catalog } from '../catalog/catalog.ts'
import type { findHoldings } from '@brickmark/core/portfolio/lot-queries'
import { usd, usdOrNull } from '@brickmark/core/primitives/money'
import type { Condition } from '@brickmark/core/catalog/condition'
import { valueLot } from '@brickmark/core/portfolio/portfolio'
import { dateField, numberField, nullableNumberField, integerField, stringField } from './fields.ts'

export const HoldingSchema = z
  .strictObject({
    brickfolio_id: integerField('Collection it belongs to.', 7),
    set_number: stringField('Set number.', '90001-1'),
    title: stringField('Title of the set.', 'Tidewater Lighthouse'),
    theme: stringField('Theme of the set.', 'Harbor'),
    quantity: integerField('Units held.', 2),
    condition: stringField('`sealed` or `used`.', 'sealed'),
    purchase_price_usd: numberField('Price paid a unit; 0 for a gift. Left out if unknown.', 64.5).optional(),
    purchase_date: dateField('Day of the purchase. Left out if unknown.', '2024-01-14').optional(),
    status: stringField('`owned`, or `listed` while it is offered for sale.', 'owned'),
    current_value_usd: nullableNumberField('Computed value of a unit; null when there is none.', 112.4),
    total_current_value_usd: nullableNumberField('Quantity times value.', 224.8),
    unrealized_gain_loss_usd: nullableNumberField('Value less cost.', 95.8),
    unrealized_gain_loss_pct: nullableNumberField('Gain in percent of the cost; 0 for a gift.', 74.26),
  })
  .meta({
    id: 'Holding',
    description:
      'Units of a set bought together and held now. Without a value, the last four are null; without a price, the last two.',
  })

export function serializeHolding(
  lot: Awaited<ReturnType<typeof findHoldings>>['holdings'][number],
  catalog: Catalog,
): z.output<typeof HoldingSchema> {
  const unitCost = lot.purchase_price_cents
  const unitValue = catalog.valueOf(lot.set_number, lot.condition as Condition)
  const { value, gain, gainPct } = valueLot({ quantity: lot.quantity, unitCost, unitValue })
  return {
    brickfolio_id: lot.collection_id,
    set_number: lot.set_number,
    title: catalog.titleOf(lot.set_number),
    theme: catalog.themeOf(lot.set_number),
    quantity: lot.quantity,
    condition: lot.condition,
    ...(unitCost !== null && { purchase_price_usd: usd(unitCost) }),
    ...(lot.purchase_date !== null && { purchase_date: lot.purchase_date }),
    status: lot.status,
    current_value_usd: usdOrNull(unitValue),
    total_current_value_usd: usdOrNull(value),
    unrealized_gain_loss_usd: usdOrNull(gain),
    unrealized_gain_loss_pct: gainPct,
  }
}
