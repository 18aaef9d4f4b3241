import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { dayNumber } from '../../primitives/calendar.ts'
import { lowestInDays } from './retail-price.ts'

/**
 * Returns a function that tells for how many days the price of a set at a retailer has been the lowest; null if it isn't,
 * or not worth mentioning. A price counts if it can be paid now and was seen higher before.
 */
export async function findLowestPrices(
  db: Database,
  numbers: string[],
  today: number,
): Promise<(setNumber: string, retailer: string) => number | null> {
  const { rows } = await sql<{
    set_number: string
    retailer: string
    price_cents: number
    list_price_cents: number | null
    value_cents: number | null
    tracked_since: string | null
  }>`
    select r.set_number, r.retailer, r.price_cents, coalesce(r.list_price_cents, s.msrp_cents) as list_price_cents,
           v.value_cents, first.day as tracked_since
      from market.retail_state r
      join catalog.set s on s.set_number = r.set_number
      left join market.set_value v on v.set_number = r.set_number and v.condition = 'sealed'
     cross join lateral (select min(d.day) as day from market.retail_day d
                          where d.set_number = r.set_number and d.retailer = r.retailer) as first
     where r.set_number = any(${numbers}::text[])
       and r.at_lowest and r.in_stock and r.price_cents is not null and r.last_change_cents is not null`.execute(db)
  const days = new Map(
    rows.map((row) => [
      `${row.retailer} ${row.set_number}`,
      lowestInDays(
        {
          price: row.price_cents,
          listPrice: row.list_price_cents,
          value: row.value_cents,
          trackedSince: row.tracked_since === null ? null : dayNumber(row.tracked_since),
        },
        today,
      ),
    ]),
  )
  return (setNumber, retailer) => days.get(`${retailer} ${setNumber}`) ?? null
}
