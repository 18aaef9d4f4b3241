import type pg from 'pg'

/**
 * Has the worker compute the values of items ([kind, number]) again. An item that waits already keeps its first mark, but is
 * locked until the transaction commits, so that the worker doesn't take it before.
 */
export async function requeueItems(client: pg.ClientBase, items: string[][]): Promise<void> {
  if (items.length === 0) return
  await client.query(
    `insert into source.valuation_queue (item_kind, item_number)
     select distinct item ->> 0, item ->> 1 from jsonb_array_elements($1::jsonb) item order by 1, 2
     on conflict (item_kind, item_number) do update set marked_at = valuation_queue.marked_at`,
    [JSON.stringify(items)],
  )
  await client.query(`select pg_notify('observations', 'sales')`)
}

/** Has the worker compute the prices of products ([retailer, product]) again, from all observations that count. */
export async function requeueProducts(client: pg.ClientBase, products: string[][]): Promise<void> {
  if (products.length === 0) return
  const parameters = [JSON.stringify(products)]
  await client.query(
    `delete from source.retail_progress using jsonb_array_elements($1::jsonb) product
      where retail_progress.retailer = product ->> 0 and retail_progress.product_id = product ->> 1`,
    parameters,
  )
  await client.query(
    `insert into source.retail_queue (retailer, product_id)
     select distinct product ->> 0, product ->> 1 from jsonb_array_elements($1::jsonb) product order by 1, 2
     on conflict (retailer, product_id) do update set marked_at = retail_queue.marked_at`,
    parameters,
  )
  await client.query(`select pg_notify('observations', 'sales')`)
}
