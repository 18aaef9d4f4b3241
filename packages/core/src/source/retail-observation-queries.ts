import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { StoredRetailObservation, Product, RetailObservation } from './retail-observation.ts'

/**
 * Returns the observations of each product that arrived after its `after` number, in order of arrival. Leaves out those
 * that no one may see.
 */
export async function findObservations(
  db: Database,
  products: (Product & { after: number })[],
): Promise<StoredRetailObservation[]> {
  const { rows } = await sql<StoredRetailObservation>`
    select o.retailer, o.product_id, o.source_id, o.event_id, s.rank as source_rank, o.arrival, o.observed_at, o.price_cents,
           o.list_price_cents, o.seller_type, o.in_stock, o.lowest_fba_cents, o.fba_sellers, o.buy_box_cents,
           l.feeds_values, extract(epoch from l.max_display_age)::float8 * 1000 as max_display_ms
      from jsonb_to_recordset(${JSON.stringify(products)}::jsonb) as p (retailer text, product_id text, after bigint)
      join source.retail_observation o
        on o.retailer = p.retailer and o.product_id = p.product_id and o.arrival > p.after
      join source.source s on s.id = o.source_id and s.withdrawn_at is null
      join source.license l on l.id = s.license_id and l.shown
     order by o.arrival`.execute(db)
  return rows
}

/** Returns the set and box dimensions of each product, for display. */
export async function findProductSets(db: Database, products: Product[]) {
  const { rows } = await sql<
    Product & {
      set_number: string
      product_url: string
      box_width_in: string | null
      box_height_in: string | null
      box_depth_in: string | null
      box_weight_lbs: string | null
    }
  >`
    select p.retailer, p.product_id, p.set_number, p.product_url,
           s.box_width_in, s.box_height_in, s.box_depth_in, s.box_weight_lbs
      from jsonb_to_recordset(${JSON.stringify(products)}::jsonb) as wanted (retailer text, product_id text)
      join source.retail_product p on p.retailer = wanted.retailer and p.product_id = wanted.product_id
      join catalog.set s on s.set_number = p.set_number`.execute(db)
  return rows
}

export function toObservation(row: StoredRetailObservation): RetailObservation {
  return {
    sourceId: row.source_id,
    eventId: row.event_id,
    sourceRank: row.source_rank,
    arrival: row.arrival,
    at: row.observed_at.getTime(),
    price: row.price_cents,
    listPrice: row.list_price_cents,
    sellerType: row.seller_type,
    inStock: row.in_stock,
    lowestFba: row.lowest_fba_cents,
    fbaSellers: row.fba_sellers,
    buyBox: row.buy_box_cents,
  }
}
