import { CONDITIONS } from '../../catalog/condition.ts'
import { dayNumber, lastDayOfMonth, monthIndex, formatMonth } from '../../primitives/calendar.ts'
import type { SetAttributesRow } from './set-sales.ts'
import { countInlierSales, type ModelFit, type ValuedSet } from '../valuation/model-fit.ts'

export type SetEvent = 'released' | 'retiring_soon' | 'retired' | 'rereleased'

/** A month is finalized on this day of the next month, using data known by the day before. */
const FINALIZE_DAY = 8

/** Returns the latest month that may be finalized on a day ('YYYY-MM-DD'): the previous month, from the 8th on. */
export function latestFinalizableMonth(today: string): number {
  return monthIndex(today) - (Number(today.slice(8, 10)) >= FINALIZE_DAY ? 1 : 2)
}

/** Returns the last day on which data may arrive and still count toward a month. */
export function knowledgeCutoff(month: number): number {
  return lastDayOfMonth(month) + FINALIZE_DAY - 1
}

/**
 * Whether a month has so few sales or sellers that their count isn't published: it could reveal a single sale. Such a month
 * still has its range, which mostly comes from the spread of the whole market; charts hatch it.
 */
export function isThin({ sales, sellers }: { sales: number; sellers: number }): boolean {
  return sales < 3 || sellers < 2
}

/** A set counts as retiring soon this long before its retirement, even if that was announced earlier. */
const RETIRING_SOON_DAYS = 180

/** Returns the event of a set in a month, given its dates and the events already published for it. */
export function setEventIn(
  month: number,
  { releaseDate, retireDate }: { releaseDate: string | null; retireDate: string | null },
  publishedEvents: ReadonlySet<SetEvent>,
): SetEvent | null {
  const name = formatMonth(month)
  if (releaseDate?.startsWith(name)) return 'released'
  if (retireDate?.startsWith(name)) return 'retired'
  const end = lastDayOfMonth(month)
  const isRetired = retireDate !== null && dayNumber(retireDate) <= end
  if (publishedEvents.has('retired') && !publishedEvents.has('rereleased') && !isRetired) return 'rereleased'
  const isSoon = retireDate !== null && !isRetired && dayNumber(retireDate) - end <= RETIRING_SOON_DAYS
  const isReleased = releaseDate === null || dayNumber(releaseDate) <= end
  return isSoon && isReleased && !publishedEvents.has('retiring_soon') ? 'retiring_soon' : null
}

export type MonthRow = {
  number: string
  condition: 'sealed' | 'used'
  value_cents: number | null
  range_low_cents: number | null
  range_high_cents: number | null
  sales_count: number | null
  event: string | null
}

export type MonthDetail = {
  number: string
  condition: 'sealed' | 'used'
  value_cents: number | null
  effective_sales: number
  sellers: number
  accepted_units: number
  data_tier: string
}

/** The value of a month with fewer effective sales isn't published. */
const MIN_EFFECTIVE_SALES = 1.5

export function monthRows(
  attributes: SetAttributesRow,
  { sales, valuation }: ValuedSet,
  { dynamics }: ModelFit,
  month: number,
  publishedEvents: string[],
): MonthRow[] {
  const dates = { releaseDate: attributes.release_date, retireDate: attributes.retire_date }
  const event = setEventIn(month, dates, new Set(publishedEvents as SetEvent[]))
  return CONDITIONS.map((condition) => {
    const { valueCents, lowCents, highCents, effectiveSales } = valuation[condition]
    const base = { number: attributes.set_number, condition, event }
    if (valueCents === null || effectiveSales < MIN_EFFECTIVE_SALES) {
      return { ...base, value_cents: null, range_low_cents: null, range_high_cents: null, sales_count: null }
    }
    const first = lastDayOfMonth(month - 1) + 1
    const accepted = countInlierSales(
      sales[condition],
      valueCents,
      dynamics[condition].scale,
      first,
      lastDayOfMonth(month),
    )
    return {
      ...base,
      value_cents: valueCents,
      range_low_cents: lowCents!,
      range_high_cents: highCents!,
      sales_count: isThin(accepted) ? null : accepted.units,
    }
  })
}

export function detailRows(attributes: SetAttributesRow, { valuation }: ValuedSet): MonthDetail[] {
  return CONDITIONS.map((condition) => {
    const { valueCents, effectiveSales, sellers, acceptedUnits, tier } = valuation[condition]
    return {
      number: attributes.set_number,
      condition,
      value_cents: valueCents,
      effective_sales: effectiveSales,
      sellers,
      accepted_units: acceptedUnits,
      data_tier: tier,
    }
  })
}
