import { z } from 'zod'
import type { Catalog } from '../catalog/catalog.ts'
import type { findHoldings } from '@brickmark/core/portfolio/lot-queries'
import { usd, usdOrNull } from '@brickmark/core/primitives/money'
import type { Condition } from '@brickmark/core/catalog/condition'
import { valueLot } from '@brickmark/core/portfolio/portfolio'
import {
  dateField,
  numberField,
  nullableNumberField,
  integerField,
  enumField,
  openEnumField,
  stringField,
} from './fields.ts'

export const HoldingSchema = z
  .strictObject({
    brickfolio_id: integerField('Collection ID.', 7),
    set_number: stringField('Set number.', '90001-1'),
    title: stringField('Title of the set.', 'Tidewater Lighthouse'),
    theme: stringField('Theme of the set.', 'Harbor'),
    quantity: integerField('Number of units.', 2),
    condition: enumField(['sealed', 'used'], 'Condition of the units.', 'sealed'),
    purchase_price_usd: numberField('Purchase price per unit; 0 for gifts. Omitted if unknown.', 64.5).optional(),
    purchase_date: dateField('Purchase date. Omitted if unknown.', '2024-01-14').optional(),
    status: openEnumField(['owned', 'listed'], '`listed` if it is for sale.', 'owned'),
    current_value_usd: nullableNumberField('Estimated value per unit; null if unavailable.', 112.4),
    total_current_value_usd: nullableNumberField('Estimated value of all units.', 224.8),
    unrealized_gain_loss_usd: nullableNumberField('Value minus cost basis.', 95.8),
    unrealized_gain_loss_pct: nullableNumberField('Gain as a percentage of cost basis; 0 for gifts.', 74.26),
  })
  .meta({
    id: 'Holding',
    description:
      'A lot: units of one set bought together. The last four fields are null if no value is available; the last two also if the purchase price is unknown.',
  })

export function serializeHolding(
  lot: Awaited<ReturnType<typeof findHoldings>>['holdings'][number],
  catalog: Catalog,
): z.output<typeof HoldingSchema> {
  const unitCost = lot.purchase_price_cents
  const condition = lot.condition as Condition
  const unitValue = catalog.valueOf(lot.set_number, condition)
  const { value, gain, gainPct } = valueLot({ quantity: lot.quantity, unitCost, unitValue })
  return {
    brickfolio_id: lot.collection_id,
    set_number: lot.set_number,
    title: catalog.titleOf(lot.set_number),
    theme: catalog.themeOf(lot.set_number),
    quantity: lot.quantity,
    condition,
    ...(unitCost !== null && { purchase_price_usd: usd(unitCost) }),
    ...(lot.purchase_date !== null && { purchase_date: lot.purchase_date }),
    status: lot.status,
    current_value_usd: usdOrNull(unitValue),
    total_current_value_usd: usdOrNull(value),
    unrealized_gain_loss_usd: usdOrNull(gain),
    unrealized_gain_loss_pct: gainPct,
  }
}
