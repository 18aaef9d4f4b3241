import { dayNumber } from '../../primitives/calendar.ts'
import type { SetWithSales } from '../valuation/model-fit.ts'
import type { SaleStore } from './sale-store.ts'

/** The catalog attributes of a set that its value depends on. */
export type SetAttributesRow = {
  set_number: string
  theme: string
  msrp_cents: number | null
  /** The lowest price at which a retailer itself sells it. */
  retail_cents: number | null
  release_date: string | null
  release_year: number | null
  retire_date: string | null
}

/** A retirement further ahead than this is treated as not yet announced on the valuation day. */
const ANNOUNCEMENT_LEAD_DAYS = 180

/** Returns a set with its dates as of `asOf` and its sales up to `asOf`, as known on `knownOn`. */
export function toSetWithSales(
  attributes: SetAttributesRow,
  store: SaleStore,
  asOf: number,
  knownOn: number,
): SetWithSales {
  const retireDay = attributes.retire_date === null ? null : dayNumber(attributes.retire_date)
  const isRetired = retireDay !== null && retireDay <= asOf
  return {
    attributes: {
      theme: attributes.theme,
      listCents: attributes.msrp_cents,
      retailCents: isRetired ? null : attributes.retail_cents,
      dates: {
        releaseDay: attributes.release_date === null ? null : dayNumber(attributes.release_date),
        releaseYear: attributes.release_year,
        retireDay: retireDay !== null && retireDay - asOf <= ANNOUNCEMENT_LEAD_DAYS ? retireDay : null,
      },
    },
    sales: {
      sealed: store.salesOf(attributes.set_number, 'sealed', asOf, knownOn),
      used: store.salesOf(attributes.set_number, 'used', asOf, knownOn),
    },
  }
}

/** Whether a set has a market on a day: it was released, or somebody sold it before its release. */
export function hasMarket(
  { release_date, release_year }: SetAttributesRow,
  { sales }: SetWithSales,
  day: number,
): boolean {
  const releaseDay = release_date ?? (release_year === null ? null : `${release_year}-01-01`)
  const isReleased = releaseDay === null || dayNumber(releaseDay) <= day
  return isReleased || sales.sealed.length + sales.used.length > 0
}
