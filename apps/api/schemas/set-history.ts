import { z } from 'zod'
import type { MonthPoint } from '@brickmark/core/market/month-series'
import { usdOrNull } from '@brickmark/core/primitives/money'
import { monthText } from '@brickmark/core/primitives/calendar'
import { moneyOrNull, wholeOrNull, wordOrNull } from './fields.ts'

export const ConditionParameter = z
  .enum(['sealed', 'used'], 'must be `sealed` or `used`')
  .default('sealed')
  .meta({ description: 'Which value: of sealed or of used copies.' })

export const HistoryPointShape = z
  .strictObject({
    month: z
      .string()
      .regex(/^\d{4}-\d{2}$/)
      .meta({ description: 'Year and month.', example: '2026-05' }),
    value_usd: moneyOrNull('Value at the end of the month; null when too few sales told it.', 110.25),
    range_low: moneyOrNull('Lower end of the 80 % range; null in a month of few sales.', 95.4),
    range_high: moneyOrNull('Upper end of the 80 % range; null in a month of few sales.', 127.3),
    sales_count: wholeOrNull('Units sold; null in a month of few sales.', 14),
    event: wordOrNull(
      'What happened to the set that month: `released`, `retiring_soon`, `retired`, `rereleased`, or null.',
      null,
    ),
  })
  .meta({ id: 'HistoryPoint', description: 'One finalized month. It never changes again.' })

export function presentMonth(point: MonthPoint): z.output<typeof HistoryPointShape> {
  return {
    month: monthText(point.month),
    value_usd: usdOrNull(point.value),
    range_low: usdOrNull(point.low),
    range_high: usdOrNull(point.high),
    sales_count: point.salesCount,
    event: point.event,
  }
}
