import { z } from 'zod'
import type { MonthPoint } from '@brickmark/core/market/month-series'
import { usdOrNull } from '@brickmark/core/primitives/money'
import { formatMonth } from '@brickmark/core/primitives/calendar'
import { nullableNumberField, nullableIntegerField, nullableStringField } from './fields.ts'

export const ConditionParam = z
  .enum(['sealed', 'used'], 'must be `sealed` or `used`')
  .default('sealed')
  .meta({ description: 'Which value: of sealed or of used copies.' })

export const HistoryPointSchema = z
  .strictObject({
    month: z
      .string()
      .regex(/^\d{4}-\d{2}$/)
      .meta({ description: 'Year and month.', example: '2026-05' }),
    value_usd: nullableNumberField('Value at the end of the month; null when too few sales told it.', 110.25),
    range_low: nullableNumberField('Lower end of the 80 % range; null in a month of few sales.', 95.4),
    range_high: nullableNumberField('Upper end of the 80 % range; null in a month of few sales.', 127.3),
    sales_count: nullableIntegerField('Units sold; null in a month of few sales.', 14),
    event: nullableStringField(
      'What happened to the set that month: `released`, `retiring_soon`, `retired`, `rereleased`, or null.',
      null,
    ),
  })
  .meta({ id: 'HistoryPoint', description: 'One finalized month. It never changes again.' })

export function serializeMonth(point: MonthPoint): z.output<typeof HistoryPointSchema> {
  return {
    month: formatMonth(point.month),
    value_usd: usdOrNull(point.value),
    range_low: usdOrNull(point.low),
    range_high: usdOrNull(point.high),
    sales_count: point.salesCount,
    event: point.event,
  }
}
