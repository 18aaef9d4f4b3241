import type pg from 'pg'
import type { FeedName } from './feeds/feed-rows.ts'

/** Fewer items say little: prices of a few may well have changed. */
const MIN_ITEMS = 20
const MAX_SHARE = 0.3
const MAX_FACTOR = 2.5
/** Older sales may have been made at quite another price. */
const DAYS = 90

/** For each feed with prices, the items of the staged rows whose price is known already, with both prices. */
const COMPARISONS: Partial<Record<FeedName, string>> = {
  sales: `
    select s.cents, v.value_cents as known
      from (select item_number, condition, percentile_cont(0.5) within group (order by unit_price_cents::integer) as cents
              from staged
             where reason is null and item_kind = 'set' and exclusion_reason is null
               and sold_on::date > (now() at time zone 'utc')::date - ${DAYS}
             group by 1, 2) as s
      join market.set_value v on v.set_number = s.item_number and v.condition = s.condition
     where v.value_cents is not null and v.data_tier in ('market', 'thin')`,
  retail: `
    select s.cents, r.price_cents as known
      from (select retailer, product_id, percentile_cont(0.5) within group (order by price_cents::integer) as cents
              from staged
             where reason is null and price_cents is not null and observed_at::timestamptz > now() - interval '${DAYS} days'
             group by 1, 2) as s
      join source.retail_product p using (retailer, product_id)
      join market.retail_state r on r.retailer = p.retailer and r.set_number = p.set_number
     where r.price_cents is not null`,
}

/**
 * Returns why the staged rows are implausible, or undefined if they aren't: whole files with another currency, cents for
 * dollars or lots for single sets differ from everything that is known.
 */
export async function findImplausiblePrices(client: pg.ClientBase, feed: FeedName): Promise<string | undefined> {
  const comparison = COMPARISONS[feed]
  if (comparison === undefined) return undefined
  const { rows } = await client.query<{ items: number; different: number }>(
    `select count(*)::integer as items,
            count(*) filter (where cents > known * ${MAX_FACTOR} or cents < known / ${MAX_FACTOR})::integer as different
       from (${comparison}) as compared`,
  )
  const { items, different } = rows[0]!
  if (items < MIN_ITEMS || different <= items * MAX_SHARE) return undefined
  return `${different} of ${items} known prices would be more than ${MAX_FACTOR} times, or less than ${1 / MAX_FACTOR} times, what they are`
}
