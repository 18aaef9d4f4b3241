import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Product } from '../../source/retail-observation.ts'

export async function saveRetailAccumulators(
  db: Database,
  accumulators: (Product & { accumulator: object; arrival: number })[],
): Promise<void> {
  await sql`
    insert into source.retail_progress (retailer, product_id, progress, arrival)
    select retailer, product_id, accumulator, arrival
      from jsonb_to_recordset(${JSON.stringify(accumulators)}::jsonb) as f (retailer text, product_id text, accumulator jsonb, arrival bigint)
    on conflict (retailer, product_id) do update set progress = excluded.progress, arrival = excluded.arrival`.execute(
    db,
  )
}

export type NewRetailState = {
  set_number: string
  retailer: string
  price_cents: number | null
  last_price_cents: number | null
  list_price_cents: number | null
  seller_type: string | null
  in_stock: boolean | null
  changed_at: string | null
  last_change_cents: number | null
  flip_1p_to_3p: boolean
  at_lowest: boolean
  lowest_cents: number | null
  product_url: string
  last_checked_at: string
  /** When the license no longer allows it to be shown; null for never. */
  shown_until: string | null
}

/** Publishes product states; listeners are notified when the transaction commits. */
export async function publishRetailStates(db: Database, states: NewRetailState[]): Promise<void> {
  if (states.length === 0) return
  await sql`
    insert into market.retail_state
    select * from jsonb_populate_recordset(null::market.retail_state, ${JSON.stringify(states)}::jsonb)
    on conflict (set_number, retailer) do update set
      price_cents = excluded.price_cents, last_price_cents = excluded.last_price_cents, list_price_cents = excluded.list_price_cents, seller_type = excluded.seller_type,
      in_stock = excluded.in_stock, changed_at = excluded.changed_at, last_change_cents = excluded.last_change_cents,
      flip_1p_to_3p = excluded.flip_1p_to_3p, at_lowest = excluded.at_lowest, lowest_cents = excluded.lowest_cents,
      product_url = excluded.product_url, last_checked_at = excluded.last_checked_at,
      shown_until = excluded.shown_until`.execute(db)
}

/** Deletes everything published about products at retailers that no observation supports any longer. */
export async function deleteRetailStates(
  db: Database,
  products: { set_number: string; retailer: string }[],
): Promise<void> {
  if (products.length === 0) return
  const wanted = sql`jsonb_to_recordset(${JSON.stringify(products)}::jsonb) as p (set_number text, retailer text)`
  await sql`delete from market.retail_state t using ${wanted} where t.set_number = p.set_number and t.retailer = p.retailer`.execute(
    db,
  )
  await sql`delete from market.retail_day t using ${wanted} where t.set_number = p.set_number and t.retailer = p.retailer`.execute(
    db,
  )
  await sql`delete from market.resale_offer t using ${wanted} where t.set_number = p.set_number and p.retailer = 'retailer_a'`.execute(
    db,
  )
}

/** Stops showing prices that are older than their license allows; the next observation shows them again. */
export async function deleteExpiredRetailStates(db: Database, now: Date): Promise<number> {
  const { rows } = await sql<{ set_number: string; retailer: string }>`
    delete from market.retail_state where shown_until < ${now} returning set_number, retailer`.execute(db)
  const offers = rows.flatMap(({ set_number, retailer }) => (retailer === 'retailer_a' ? [set_number] : []))
  await sql`delete from market.resale_offer where set_number = any(${offers}::text[])`.execute(db)
  return rows.length
}

export type NewRetailExit = {
  set_number: string
  lowest_fba_cents: number | null
  fba_sellers: number | null
  buy_box_cents: number | null
  net_fba_cents: number | null
}

export async function publishRetailExits(db: Database, exits: NewRetailExit[]): Promise<void> {
  if (exits.length === 0) return
  await sql`
    insert into market.resale_offer as t
    select * from jsonb_populate_recordset(null::market.resale_offer, ${JSON.stringify(exits)}::jsonb)
    on conflict (set_number) do update set
      lowest_fba_cents = excluded.lowest_fba_cents, fba_sellers = excluded.fba_sellers,
      buy_box_cents = excluded.buy_box_cents, net_fba_cents = excluded.net_fba_cents
     where (t.lowest_fba_cents, t.fba_sellers, t.buy_box_cents, t.net_fba_cents)
       is distinct from (excluded.lowest_fba_cents, excluded.fba_sellers, excluded.buy_box_cents, excluded.net_fba_cents)`.execute(
    db,
  )
}

/** The days on which a product changed: the new ones, or all of them if the product was rebuilt. */
export type NewRetailDays = {
  set_number: string
  retailer: string
  rebuilt: boolean
  days: { day: string; price_cents: number | null; seller_type: string | null; feeds_values: boolean }[]
}

export async function publishRetailDays(db: Database, products: NewRetailDays[]): Promise<void> {
  const rebuilt = products.filter((product) => product.rebuilt)
  if (rebuilt.length > 0) {
    await sql`
      delete from market.retail_day d
       using jsonb_to_recordset(${JSON.stringify(rebuilt)}::jsonb) as p (set_number text, retailer text)
       where d.set_number = p.set_number and d.retailer = p.retailer`.execute(db)
  }
  const rows = products.flatMap(({ set_number, retailer, days }) =>
    days.map((day) => ({ set_number, retailer, ...day })),
  )
  if (rows.length === 0) return
  await sql`
    insert into market.retail_day
    select * from jsonb_populate_recordset(null::market.retail_day, ${JSON.stringify(rows)}::jsonb)
    on conflict (set_number, retailer, day) do update set
      price_cents = excluded.price_cents, seller_type = excluded.seller_type,
      feeds_values = excluded.feeds_values`.execute(db)
}
