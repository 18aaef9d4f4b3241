import type pg from 'pg'
import { rejectUnknownSources } from '../ingest-log-commands.ts'

export const RETAIL_COLUMNS = [
  'source_id',
  'license_id',
  'event_id',
  'retailer',
  'product_id',
  'observed_at',
  'price_cents',
  'list_price_cents',
  'seller_type',
  'in_stock',
  'lowest_fba_cents',
  'fba_sellers',
  'buy_box_cents',
]

/** Rejects staged observations of unknown sources and products. */
export async function prepareRetail(client: pg.ClientBase): Promise<void> {
  await rejectUnknownSources(client)
  await client.query(`
    update staged set reason = format('no set is known for product %s at %s; add a product row to the catalog', product_id, retailer)
     where reason is null and not exists (
       select from source.retail_product p where p.retailer = staged.retailer and p.product_id = staged.product_id)`)
}

/**
 * Publishes staged retail observations in file order. Their products are marked dirty first, which locks them: if two
 * ingests touch the same product the second waits, so that arrivals are numbered in commit order and a worker that
 * continues from the last number it saw misses none.
 */
export async function publishRetail(
  client: pg.ClientBase,
  importId: number,
): Promise<{ accepted: number; repeated: number }> {
  await client.query(`
    insert into source.retail_queue (retailer, product_id)
    select distinct retailer, product_id from staged where reason is null order by 1, 2
    on conflict (retailer, product_id) do update set marked_at = retail_queue.marked_at`)
  // The primary key includes the instant, because the table is partitioned by it, so it doesn't catch an event that is
  // sent again with another instant.
  const { rows } = await client.query<{ accepted: number; repeated: number }>(
    `with taken as (
      insert into source.retail_observation (source_id, event_id, license_id, retailer, product_id, observed_at, price_cents,
          list_price_cents, seller_type, in_stock, lowest_fba_cents, fba_sellers, buy_box_cents, import_id)
      select source_id, event_id, license_id, retailer, product_id, observed_at::timestamptz, price_cents::integer,
             list_price_cents::integer, seller_type, in_stock::boolean, lowest_fba_cents::integer, fba_sellers::integer,
             buy_box_cents::integer, $1::bigint
        from (select distinct on (source_id, event_id) * from staged where reason is null
               order by source_id, event_id, row_number) first
       where not exists (select from source.retail_observation o where o.source_id = first.source_id and o.event_id = first.event_id)
       order by row_number
      on conflict do nothing
      returning retailer, product_id
    )
    select (select count(*) from taken) as accepted,
           (select count(*) from staged where reason is null) - (select count(*) from taken) as repeated`,
    [importId],
  )
  return rows[0]!
}
