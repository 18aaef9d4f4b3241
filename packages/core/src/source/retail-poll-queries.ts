import type pg from 'pg'

export async function findCursor(pool: pg.Pool, sourceId: string): Promise<string | null> {
  const { rows } = await pool.query<{ cursor: string | null }>(
    'select cursor from source.poll_cursor where source_id = $1',
    [sourceId],
  )
  return rows[0]?.cursor ?? null
}

export async function findProductsAfter(
  pool: pg.Pool,
  retailer: string,
  cursor: string | null,
  limit: number,
): Promise<string[]> {
  const { rows } = await pool.query<{ product_id: string }>(
    `select product_id from source.retail_product
      where retailer = $1 and ($2::text is null or product_id > $2) order by product_id limit $3`,
    [retailer, cursor, limit],
  )
  return rows.map((row) => row.product_id)
}
