import { z } from 'zod'
import type { findBrickfolios } from '@brickmark/core/portfolio/collection-queries'
import type { findMonthlyPeriods } from '@brickmark/core/portfolio/portfolio-queries'
import { usd, usdOrNull } from '@brickmark/core/primitives/money'
import type { PortfolioTotals } from '@brickmark/core/portfolio/portfolio'
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
    id: integerField('Identifier of the collection.', 7),
    name: stringField('Name.', 'Sealed stock'),
    description: nullableStringField('Description.', 'Shelf A to F'),
    is_default: booleanField('Whether new holdings go here.', true),
    owned_set_count: integerField('Distinct sets held.', 41),
    owned_item_count: integerField('Units held.', 96),
    total_cost_basis_usd: numberField('Known cost of the units held. Units without a value are left out.', 5210.4),
    total_current_value_usd: numberField('Known value of the units held.', 7944.15),
    unrealized_gain_loss_usd: numberField('Value less cost of the units whose value and cost are known.', 2733.75),
    created_at: timestampField('When the collection was made.', '2024-01-10T18:20:11.000Z'),
  })
  .meta({ id: 'BrickfolioSummary', description: 'A collection and what it is worth now.' })

export const MonthlyPeriodSchema = z
  .strictObject({
    month: z
      .string()
      .regex(/^\d{4}-\d{2}$/)
      .meta({ description: 'Year and month of purchase.', example: '2024-01' }),
    entry_count: z.int().min(0).meta({ description: 'Purchases of that month that are still held.', example: 3 }),
    items: z.int().min(0).meta({ description: 'Units of them.', example: 5 }),
    cost_basis_usd: nullableNumberField(
      'Known cost, including units without a value; null if no cost is known.',
      322.5,
    ),
  })
  .meta({
    id: 'MonthlyPeriod',
    description:
      'What is held now, by month of purchase, over all collections. Purchases of an unknown date are left out.',
  })

export function serializeBrickfolio(
  brickfolio: Awaited<ReturnType<typeof findBrickfolios>>[number],
  totals: PortfolioTotals,
): z.output<typeof BrickfolioSchema> {
  return {
    id: brickfolio.id,
    name: brickfolio.name,
    description: brickfolio.description,
    is_default: brickfolio.is_default,
    owned_set_count: totals.sets,
    owned_item_count: totals.items,
    total_cost_basis_usd: usd(totals.cost),
    total_current_value_usd: usd(totals.value),
    unrealized_gain_loss_usd: usd(totals.gain),
    created_at: brickfolio.created_at.toISOString(),
  }
}

export function serializeMonthlyPeriod(
  period: Awaited<ReturnType<typeof findMonthlyPeriods>>[number],
): z.output<typeof MonthlyPeriodSchema> {
  return {
    month: period.month,
    entry_count: period.entry_count,
    items: period.items,
    cost_basis_usd: usdOrNull(period.cost_cents),
  }
}
