import { sql } from 'kysely'
import type { Database } from '../database.ts'

export type ItemKind = 'set' | 'minifig'

/** The sales of one item in one condition, ascending by day, `PACKED_FIELDS` big-endian integers each. */
export type PackedSales = { item_number: string; condition: 'sealed' | 'used'; packed: Buffer }

/**
 * In the order they are packed: day of sale, cents, quantity, seller, buyer (hashes, 0 when not told), what the source
 * says against it (0 nothing, 1 lot, 2 parts only, 3 unknown offer), the day it became known, the day its return became
 * known, the days since when seller and buyer are known to have traded other items (the latter three 2^31 − 1 for never).
 */
export const PACKED_FIELDS = 10

/**
 * Sales of these items from `since` (days from 1970) on, one row an item and condition. Packed, because as rows of
 * columns ten million sales take several times as long to read.
 */
export async function findSales(
  db: Database,
  kind: ItemKind,
  numbers: string[],
  since: number,
): Promise<PackedSales[]> {
  const { rows } = await sql<PackedSales>`
    select o.item_number, o.condition, string_agg(
        int4send(o.sold_on - date '1970-01-01') || int4send((o.unit_price_usd * 100)::integer) || int4send(o.quantity)
        || int4send(coalesce(hashtext(o.seller_ref), 0)) || int4send(coalesce(hashtext(o.buyer_ref), 0))
        || int4send(coalesce(array_position(array['lot', 'parts_only', 'unknown_offer'], o.excluded), 0))
        || int4send(o.known_on - date '1970-01-01')
        || int4send(coalesce(r.known_on - date '1970-01-01', 2147483647))
        || int4send(coalesce(s.several_since - date '1970-01-01', 2147483647))
        || int4send(coalesce(b.several_since - date '1970-01-01', 2147483647)),
        ''::bytea order by o.sold_on, o.source_id, o.event_id) as packed
      from source.sale_observation o
      left join source.sale_return r
        on r.item_kind = o.item_kind and r.item_number = o.item_number and r.source_id = o.source_id and r.event_id = o.event_id
      left join source.trader s on s.role = 'seller' and s.source_id = o.source_id and s.ref = o.seller_ref
      left join source.trader b on b.role = 'buyer' and b.source_id = o.source_id and b.ref = o.buyer_ref
     where o.item_kind = ${kind} and o.item_number = any(${numbers}::text[]) and o.sold_on >= date '1970-01-01' + ${since}::integer
     group by o.item_number, o.condition`.execute(db)
  return rows
}
