import { dayNumber } from '../primitives/calendar.ts'
import type { SetWithSales } from './valuation/model-fit.ts'
import type { SaleStore } from './sale-store.ts'

/** The catalog attributes of a set that its value depends on. */
export type SetAttributesRow = {
  set_number: string
  theme: string
  msrp_cents: number | null
  release_date: string | null
  retire_date: string | null
}

/** A retirement further ahead than this is treated as not yet announced on the valuation day. */
const ANNOUNCEMENT_LEAD_DAYS = 180

/** Returns a set with its dates as of `asOf` and its sales up to `asOf`, as known on `knownOn`. */
export function toSetWithSales(facts: SetAttributesRow, book: SaleStore, asOf: number, knownOn: number): SetWithSales {
  const retireDay = facts.retire_date === null ? null : dayNumber(facts.retire_date)
  return {
    attributes: {
      theme: facts.theme,
      listCents: facts.msrp_cents,
      dates: {
        releaseDay: facts.release_date === null ? null : dayNumber(facts.release_date),
        retireDay: retireDay !== null && retireDay - asOf <= ANNOUNCEMENT_LEAD_DAYS ? retireDay : null,
      },
    },
    sales: {
      sealed: book.salesOf(facts.set_number, 'sealed', asOf, knownOn),
      used: book.salesOf(facts.set_number, 'used', asOf, knownOn),
    },
  }
}

/** Whether a set was released by a day; before that it has no market. */
export function isReleased(facts: SetAttributesRow, day: number): boolean {
  return facts.release_date === null || dayNumber(facts.release_date) <= day
}
