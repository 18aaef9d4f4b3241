import { z } from 'zod'
import type { findCollectionsWithLots } from '@brickmark/core/portfolio/held-lot-queries'
import type { PurchaseMonth } from '@brickmark/core/portfolio/held-lot'
import { usd, usdOrNull } from '@brickmark/core/primitives/money'
import type { PortfolioTotals } from '@brickmark/core/portfolio/portfolio-totals'
import {
  booleanField,
  timestampField,
  numberField,
  nullableNumberField,
  integerField,
  stringField,
  nullableStringField,
} from './fields.ts'

export const BrickfolioSchema = z
  .strictObject({
    id: integerField('Collection ID.', 7),
    name: stringField('Name.', 'Sealed stock'),
    description: nullableStringField('Description.', 'Shelf A to F'),
    is_default: booleanField('Whether this is the default collection.', true),
    owned_set_count: integerField('Number of unique sets.', 41),
    owned_item_count: integerField('Total units.', 96),
    total_cost_basis_usd: numberField('Cost basis, where known. Units without a value are excluded.', 5210.4),
    total_current_value_usd: numberField('Estimated value, where known.', 7944.15),
    unrealized_gain_loss_usd: numberField('Value minus cost basis of units with a known value and cost.', 2733.75),
    created_at: timestampField('When the collection was created.', '2024-01-10T18:20:11.000Z'),
  })
  .meta({ id: 'BrickfolioSummary', description: 'A collection and its current value.' })

export const MonthlyPeriodSchema = z
  .strictObject({
    month: z
      .string()
      .regex(/^\d{4}-\d{2}$/)
      .meta({ description: 'Purchase month.', example: '2024-01' }),
    entry_count: z.int().min(0).meta({ description: 'Lots bought that month that you still own.', example: 3 }),
    items: z.int().min(0).meta({ description: 'Units in those lots.', example: 5 }),
    cost_basis_usd: nullableNumberField('Cost basis, including units without a value; null if unknown.', 322.5),
  })
  .meta({
    id: 'MonthlyPeriod',
    description:
      'Current lots by purchase month, across all collections. Lots with an unknown purchase date are excluded.',
  })

export function serializeBrickfolio(
  brickfolio: Awaited<ReturnType<typeof findCollectionsWithLots>>['collections'][number],
  totals: PortfolioTotals,
): z.output<typeof BrickfolioSchema> {
  return {
    id: brickfolio.id,
    name: brickfolio.name,
    description: brickfolio.description,
    is_default: brickfolio.is_default,
    owned_set_count: totals.distinctItems,
    owned_item_count: totals.items,
    total_cost_basis_usd: usd(totals.cost),
    total_current_value_usd: usd(totals.value),
    unrealized_gain_loss_usd: usd(totals.gain),
    created_at: brickfolio.created_at.toISOString(),
  }
}

export function serializeMonthlyPeriod(purchaseMonth: PurchaseMonth): z.output<typeof MonthlyPeriodSchema> {
  return {
    month: purchaseMonth.month,
    entry_count: purchaseMonth.lots,
    items: purchaseMonth.units,
    cost_basis_usd: usdOrNull(purchaseMonth.cost),
  }
}
