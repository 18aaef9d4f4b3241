import { z } from 'zod'
import { nullableNumberField, nullableIntegerField, nullableOpenEnumField } from './fields.ts'

export const ConditionParam = z
  .enum(['sealed', 'used'], 'must be `sealed` or `used`')
  .default('sealed')
  .meta({ description: 'Condition to return values for.' })

export const HistoryPointSchema = z
  .strictObject({
    month: z
      .string()
      .regex(/^\d{4}-\d{2}$/)
      .meta({ description: 'Year and month.', example: '2026-05' }),
    value_usd: nullableNumberField('End-of-month value; null if there were too few sales.', 110.25),
    range_low: nullableNumberField('Lower bound of the 80% range; null if there were too few sales.', 95.4),
    range_high: nullableNumberField('Upper bound of the 80% range; null if there were too few sales.', 127.3),
    sales_count: nullableIntegerField('Units sold; null if there were too few sales.', 14),
    event: nullableOpenEnumField(
      ['released', 'retiring_soon', 'retired', 'rereleased'],
      'Lifecycle event that month; null if there was none.',
      null,
    ),
  })
  .meta({ id: 'HistoryPoint', description: 'A finalized month. Finalized months never change.' })
