import { z } from 'zod'
import type { Catalog } from '../catalog/catalog.ts'
import { usd } from '@brickmark/core/primitives/money'
import { formatDay } from '@brickmark/core/primitives/calendar'
import { gainPercent, type Mover, type PortfolioPoint } from '@brickmark/core/portfolio/portfolio'
import type { PortfolioTotals } from '@brickmark/core/portfolio/portfolio-totals'
import { dateField, numberField, nullableNumberField, integerField, nullableStringField } from './fields.ts'

export const PeriodParam = z
  .enum(['30d', '90d', '1y'], 'must be `30d`, `90d` or `1y`')
  .default('1y')
  .meta({ description: 'Period to cover. Daily points for `30d` and `90d`, weekly for `1y`.' })

const TopGainerSchema = z
  .strictObject({
    set_number: nullableStringField('Set number.', '90001-1'),
    title: nullableStringField('Title of the set.', 'Tidewater Lighthouse'),
    gain_pct: nullableNumberField('Gain as a percentage of cost basis.', 74.26),
  })
  .meta({
    id: 'TopGainer',
    description: 'The lot with the highest percentage gain (cost basis of $5 or more).',
  })

const TopLoserSchema = z
  .strictObject({
    set_number: nullableStringField('Set number.', '90042-1'),
    title: nullableStringField('Title of the set.', 'Copper Canyon Crossing'),
    loss_pct: nullableNumberField('Loss as a percentage of cost basis (negative).', -12.5),
  })
  .meta({ id: 'TopLoser', description: 'The lot with the largest percentage loss (cost basis of $5 or more).' })

const ValuePointSchema = z
  .strictObject({
    date: dateField('Day.', '2026-06-27'),
    total_value_usd: numberField('Value of the units you owned.', 7944.15),
    cost_basis_usd: numberField('Cost basis of those units, where known.', 5210.4),
    gain_loss_usd: numberField('Value minus cost basis of units with a known value and cost.', 2733.75),
    gain_loss_pct: numberField('Gain as a percentage of cost basis; 0 if the cost basis is 0.', 52.47),
  })
  .meta({
    id: 'ValuePoint',
    description:
      'Portfolio value on one day. Units without a value that day are excluded; units with an unknown purchase date count as always owned.',
  })

export const AnalyticsSchema = z
  .strictObject({
    period: z.enum(['30d', '90d', '1y']).meta({ description: 'Requested period.', example: '1y' }),
    summary: z
      .strictObject({
        total_sets: integerField('Number of unique sets.', 41).min(0),
        total_items: integerField('Total units.', 96).min(0),
        total_cost_basis_usd: numberField('Cost basis, where known. Units without a value are excluded.', 5210.4),
        total_current_value_usd: numberField('Estimated value, where known.', 7944.15),
        unrealized_gain_loss_usd: numberField('Value minus cost basis of units with a known value and cost.', 2733.75),
        unrealized_gain_loss_pct: numberField('Gain as a percentage of cost basis; 0 if the cost basis is 0.', 52.47),
        top_gainer: TopGainerSchema.nullable(),
        top_loser: TopLoserSchema.nullable(),
      })
      .meta({ id: 'AnalyticsSummary', description: 'Current totals across all collections.' }),
    value_history: z
      .array(ValuePointSchema)
      .meta({ description: 'Oldest first; the last point is the current value.' }),
  })
  .meta({ id: 'Analytics', description: 'Portfolio totals and value history.' })

type Summary = z.output<typeof AnalyticsSchema>['summary']

export function serializeSummary(
  totals: PortfolioTotals,
  movers: { gainer: Mover | null; loser: Mover | null },
  catalog: Catalog,
): Summary {
  return {
    total_sets: totals.distinctItems,
    total_items: totals.items,
    total_cost_basis_usd: usd(totals.cost),
    total_current_value_usd: usd(totals.value),
    unrealized_gain_loss_usd: usd(totals.gain),
    unrealized_gain_loss_pct: gainPercent(totals.gain, totals.cost),
    top_gainer: movers.gainer && {
      set_number: movers.gainer.setNumber,
      title: catalog.titleOf(movers.gainer.setNumber),
      gain_pct: movers.gainer.pct,
    },
    top_loser: movers.loser && {
      set_number: movers.loser.setNumber,
      title: catalog.titleOf(movers.loser.setNumber),
      loss_pct: movers.loser.pct,
    },
  }
}

export function serializeValuePoint(point: PortfolioPoint): z.output<typeof ValuePointSchema> {
  return {
    date: formatDay(point.day),
    total_value_usd: usd(point.value),
    cost_basis_usd: usd(point.cost),
    gain_loss_usd: usd(point.gain),
    gain_loss_pct: gainPercent(point.gain, point.cost),
  }
}
