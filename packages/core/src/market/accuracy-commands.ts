import { sql } from 'kysely'
import type { MarketContext } from '../db/context.ts'
import { formatDay, utcDayOf } from '../primitives/calendar.ts'

const WINDOW_DAYS = 90
const MIN_SALES = 30

/**
 * Compares the sales of the last 90 days with the value that had been finalized before each of them (a month is finalized on
 * the 8th of the next one) and replaces the figures of today.
 */
export async function measureAccuracy({ db, now }: MarketContext): Promise<{ groups: number }> {
  const today = formatDay(utcDayOf(now()))
  return db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('market.accuracy').where('day', '=', today).execute()
    const { numAffectedRows } = await sql`
      insert into market.accuracy (day, condition, grouped_by, name, sales, median_error_pct, within_5_pct,
        within_10_pct, within_20_pct)
      select ${today}::date, condition, case when tier is not null then 'tier' when theme is not null then 'theme' else 'all' end,
             coalesce(tier, theme, 'all'), count(*), 100 * percentile_cont(0.5) within group (order by error),
             100 * avg((error <= 0.05)::integer), 100 * avg((error <= 0.1)::integer), 100 * avg((error <= 0.2)::integer)
        from (
          select o.condition, v.data_tier as tier, s.theme, abs(v.value_cents::float8 / o.unit_price_cents - 1) as error
            from source.sale_observation o
            join source.month_valuation v
              on v.item_kind = o.item_kind and v.item_number = o.item_number and v.condition = o.condition
             and v.month = (date_trunc('month', o.sold_on - 7) - interval '1 month')::date
            join catalog.set s on s.set_number = o.item_number
           where o.item_kind = 'set' and o.sold_on > ${today}::date - ${WINDOW_DAYS}::integer and o.sold_on <= ${today}::date
             and o.exclusion_reason is null and v.value_cents is not null
             and not exists (select from source.sale_return r
               where r.item_kind = o.item_kind and r.item_number = o.item_number and r.source_id = o.source_id
                 and r.event_id = o.event_id)
        ) compared
       group by grouping sets ((condition), (condition, tier), (condition, theme))
      having count(*) >= ${MIN_SALES}`.execute(transaction)
    return { groups: Number(numAffectedRows ?? 0n) }
  })
}
