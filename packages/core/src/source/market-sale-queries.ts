import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { ItemKind, PackedMarketSales } from './market-sale.ts'

const PACKED_SALE = sql`
  int4send(o.sold_on - date '1970-01-01') || int4send(o.unit_price_cents) || int4send(o.quantity)
  || int4send(coalesce(hashtext(o.seller_ref), 0)) || int4send(coalesce(hashtext(o.buyer_ref), 0))
  || int4send(coalesce(array_position(array['lot', 'parts_only', 'unknown_offer'], o.exclusion_reason), 0))
  || int4send(o.known_on - date '1970-01-01')`

const NEVER = sql`'\\x7fffffff'::bytea`

const TWO_NEVERS = sql`'\\x7fffffff7fffffff'::bytea`

const TRADER_FIELDS = sql`
  int4send(coalesce(s.several_since - date '1970-01-01', 2147483647))
  || int4send(coalesce(b.several_since - date '1970-01-01', 2147483647))`

const TRADER_JOINS = sql`
  left join source.trader s on s.role = 'seller' and s.source_id = o.source_id and s.ref = o.seller_ref
  left join source.trader b on b.role = 'buyer' and b.source_id = o.source_id and b.ref = o.buyer_ref`

// An aggregate reads a sorted subquery in order; only a join could reorder the rows.
const NO_ORDER_BY = sql``

/** Sources whose license doesn't allow values to be computed from them, or that were withdrawn. Few, so hashed once. */
const IS_USABLE = sql`o.source_id not in (
  select source.id from source.source join source.license on license.id = source.license_id
   where source.withdrawn_at is not null or not license.feeds_values)`

const RETURN_MATCH = sql`
  r.item_kind = o.item_kind and r.item_number = o.item_number and r.source_id = o.source_id and r.event_id = o.event_id`

/**
 * Returns all sales between two days (since 1970), oldest first, one row per item and condition, of all items or only
 * those with the given numbers. They are packed because reading ten million sales as regular columns takes several times
 * as long.
 */
export async function findMarketSales(
  db: Database,
  kind: ItemKind,
  numbers: string[] | undefined,
  { since, until }: { since: number; until: number },
): Promise<PackedMarketSales[]> {
  const isWanted = numbers === undefined ? sql`true` : sql`o.item_number = any(${numbers}::text[])`
  const { rows } = await sql<PackedMarketSales>`
    select o.item_number, o.condition, string_agg(
        ${PACKED_SALE} || int4send(coalesce(r.known_on - date '1970-01-01', 2147483647)) || ${TRADER_FIELDS},
        ''::bytea order by o.sold_on, o.source_id, o.event_id) as packed
      from source.sale_observation o
      left join source.sale_return r on ${RETURN_MATCH} ${TRADER_JOINS}
     where o.item_kind = ${kind} and ${isWanted} and ${IS_USABLE}
       and o.sold_on between date '1970-01-01' + ${since}::integer and date '1970-01-01' + ${until}::integer
     group by o.item_number, o.condition`.execute(db)
  return rows
}

/**
 * Returns only the latest sales that are neither excluded nor returned, newest first, so that the cost per item doesn't
 * depend on its sales history. Without `withTraders` no trader counts as established: looking that up doubles the time.
 */
export async function findLatestMarketSales(
  db: Database,
  kind: ItemKind,
  numbers: string[],
  { since, limit, withTraders }: { since: number; limit: number; withTraders: boolean },
): Promise<PackedMarketSales[]> {
  const { rows } = await sql<PackedMarketSales>`
    select n.item_number, c.condition, o.packed
      from unnest(${numbers}::text[]) n (item_number)
      cross join (values ('sealed'), ('used')) c (condition)
      cross join lateral (
        select string_agg(${PACKED_SALE} || ${NEVER} || ${withTraders ? TRADER_FIELDS : TWO_NEVERS}, ''::bytea
            ${withTraders ? sql`order by o.sold_on desc, o.source_id desc, o.event_id desc` : NO_ORDER_BY}) as packed
          from (
            select * from source.sale_observation o
             where o.item_kind = ${kind} and o.item_number = n.item_number and o.condition = c.condition
               and o.sold_on >= date '1970-01-01' + ${since}::integer and o.exclusion_reason is null and ${IS_USABLE}
               and not exists (select from source.sale_return r where ${RETURN_MATCH})
             order by o.sold_on desc, o.source_id desc, o.event_id desc
             limit ${limit}) o ${withTraders ? TRADER_JOINS : sql``}) o
     where o.packed is not null`.execute(db)
  return rows
}

/** Whether there are more than this many sales. */
export async function hasMoreSalesThan(db: Database, count: number): Promise<boolean> {
  const { rows } = await sql`select from source.sale_observation offset ${count} limit 1`.execute(db)
  return rows.length > 0
}
