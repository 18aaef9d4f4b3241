import { z } from 'zod'
import type { Catalog } from '../catalog/catalog.ts'
import { usd } from '@brickmark/core/primitives/money'
import { dayText } from '@brickmark/core/primitives/calendar'
import { gainOf, type Mover, type PortfolioPoint, type PortfolioTotals } from '@brickmark/core/portfolio/portfolio'
import { day, money, moneyOrNull, whole, wordOrNull } from './fields.ts'

export const PeriodParameter = z
  .enum(['30d', '90d', '1y'], 'must be `30d`, `90d` or `1y`')
  .default('1y')
  .meta({ description: 'How far back the value history reaches: daily for `30d` and `90d`, weekly for `1y`.' })

const TopGainerShape = z
  .strictObject({
    set_number: wordOrNull('Set number.', '90001-1'),
    title: wordOrNull('Title of the set.', 'Tidewater Lighthouse'),
    gain_pct: moneyOrNull('Gain in percent of its cost.', 74.26),
  })
  .meta({
    id: 'TopGainer',
    description: 'The holding that gained most by percentage, among those that cost $5 or more.',
  })

const TopLoserShape = z
  .strictObject({
    set_number: wordOrNull('Set number.', '90042-1'),
    title: wordOrNull('Title of the set.', 'Copper Canyon Crossing'),
    loss_pct: moneyOrNull('Loss in percent of its cost, as a negative number.', -12.5),
  })
  .meta({ id: 'TopLoser', description: 'The holding that lost most by percentage, among those that cost $5 or more.' })

const ValuePointShape = z
  .strictObject({
    date: day('Day.', '2026-06-27'),
    total_value_usd: money('Value of what was held.', 7944.15),
    cost_basis_usd: money('Cost of the same units.', 5210.4),
    gain_loss_usd: money('Value less cost.', 2733.75),
    gain_loss_pct: money('Gain in percent of the cost; 0 when there is no cost.', 52.47),
  })
  .meta({ id: 'ValuePoint', description: 'The portfolio on one day. Units without a value that day are left out.' })

export const AnalyticsShape = z
  .strictObject({
    period: z.enum(['30d', '90d', '1y']).meta({ description: 'The period asked for.', example: '1y' }),
    summary: z
      .strictObject({
        total_sets: whole('Distinct sets held.', 41).min(0),
        total_items: whole('Units held.', 96).min(0),
        total_cost_basis_usd: money('Cost of the units held that have a value.', 5210.4),
        total_current_value_usd: money('Their value.', 7944.15),
        unrealized_gain_loss_usd: money('Value less cost.', 2733.75),
        unrealized_gain_loss_pct: money('Gain in percent of the cost; 0 when there is no cost.', 52.47),
        top_gainer: TopGainerShape.nullable(),
        top_loser: TopLoserShape.nullable(),
      })
      .meta({ id: 'AnalyticsSummary', description: 'What is held now, over all collections.' }),
    value_history: z.array(ValuePointShape).meta({ description: 'Ascending; the last point is now.' }),
  })
  .meta({ id: 'Analytics', description: 'The portfolio now and how it came there.' })

type Summary = z.output<typeof AnalyticsShape>['summary']

export function presentSummary(
  totals: PortfolioTotals,
  movers: { gainer: Mover | null; loser: Mover | null },
  catalog: Catalog,
): Summary {
  const { gain, pct } = gainOf(totals.value, totals.cost)
  return {
    total_sets: totals.sets,
    total_items: totals.items,
    total_cost_basis_usd: usd(totals.cost),
    total_current_value_usd: usd(totals.value),
    unrealized_gain_loss_usd: usd(gain),
    unrealized_gain_loss_pct: pct,
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

export function presentValuePoint(point: PortfolioPoint): z.output<typeof ValuePointShape> {
  const { gain, pct } = gainOf(point.value, point.cost)
  return {
    date: dayText(point.day),
    total_value_usd: usd(point.value),
    cost_basis_usd: usd(point.cost),
    gain_loss_usd: usd(gain),
    gain_loss_pct: pct,
  }
}
