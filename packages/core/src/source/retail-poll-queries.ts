import type pg from 'pg'

export async function findCursor(pool: pg.Pool, sourceId: string): Promise<string | null> {
  const { rows } = await pool.query<{ cursor: string | null }>(
    'select cursor from source.poll_cursor where source_id = $1',
    [sourceId],
  )
  return rows[0]?.cursor ?? null
}

/** Whether anything was ever read of a source. */
export async function wasRead(pool: pg.Pool, sourceId: string): Promise<boolean> {
  const { rowCount } = await pool.query('select from source.poll_cursor where source_id = $1', [sourceId])
  return rowCount === 1
}

export async function hasPrices(pool: pg.Pool, retailer: string): Promise<boolean> {
  const { rowCount } = await pool.query('select from market.retail_state where retailer = $1 limit 1', [retailer])
  return rowCount === 1
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

/** Like `findProductsAfter`, for products whose history a source hasn't read yet. */
export async function findNewProductsAfter(
  pool: pg.Pool,
  { retailer, sourceId }: { retailer: string; sourceId: string },
  cursor: string | null,
  limit: number,
): Promise<string[]> {
  const { rows } = await pool.query<{ product_id: string }>(
    `select product_id from source.retail_product p
      where retailer = $1 and ($2::text is null or product_id > $2) and history_read_at is null
        and not exists (select from source.retail_observation o
                         where o.retailer = p.retailer and o.product_id = p.product_id and o.source_id = $4)
      order by product_id limit $3`,
    [retailer, cursor, limit, sourceId],
  )
  return rows.map((row) => row.product_id)
}

/** Like `findProductsAfter`, for products of these sets that weren't checked since. */
export async function findUncheckedProductsAfter(
  pool: pg.Pool,
  { retailer, sets, since }: { retailer: string; sets: string[]; since: Date },
  cursor: string | null,
  limit: number,
): Promise<string[]> {
  const { rows } = await pool.query<{ product_id: string }>(
    `select p.product_id
       from source.retail_product p
      where p.retailer = $1 and p.set_number = any($4::text[]) and ($2::text is null or p.product_id > $2)
        and not exists (select from source.retail_observation o
                         where o.retailer = p.retailer and o.product_id = p.product_id and o.observed_at >= $5)
      order by p.product_id limit $3`,
    [retailer, cursor, limit, sets, since],
  )
  return rows.map((row) => row.product_id)
}

/**
 * Returns sets with a barcode that have no product at a retailer and weren't searched for since, the newest first, each
 * with one code.
 */
export async function findSetsToSearch(
  pool: pg.Pool,
  retailer: string,
  { searchedBefore, limit }: { searchedBefore: Date; limit: number },
): Promise<{ set_number: string; title: string; code: string }[]> {
  const { rows } = await pool.query<{ set_number: string; title: string; code: string }>(
    `select set_number, title, coalesce(upc, ean) as code
       from catalog.set
      where coalesce(upc, ean) is not null
        and not exists (select from source.retail_product p where p.retailer = $1 and p.set_number = set.set_number)
        and not exists (select from source.product_search s
                         where s.retailer = $1 and s.set_number = set.set_number and s.searched_at > $2)
      order by release_date desc nulls last, set_number
      limit $3`,
    [retailer, searchedBefore, limit],
  )
  return rows
}

/** Returns the matches that an operator has to decide on, oldest first. */
export async function findDoubtfulMatches(pool: pg.Pool, limit: number) {
  const { rows } = await pool.query<{
    retailer: string
    set_number: string
    set_title: string
    product_id: string
    title: string
    product_url: string
  }>(
    `select m.retailer, m.set_number, s.title as set_title, m.product_id, m.title, m.product_url
       from source.product_match m join catalog.set s using (set_number)
      where m.rejected_at is null order by m.found_at, m.set_number, m.product_id limit $1`,
    [limit],
  )
  return rows
}

/** Counts the products of each retailer that are polled, and the sets with a barcode that have none yet. */
export async function countProducts(pool: pg.Pool) {
  const { rows } = await pool.query<{ retailer: string; products: number; missing: number; doubtful: number }>(
    `select r.retailer,
            (select count(*) from source.retail_product p where p.retailer = r.retailer) as products,
            (select count(*) from catalog.set s where coalesce(upc, ean) is not null and not exists (
               select from source.retail_product p where p.retailer = r.retailer and p.set_number = s.set_number)) as missing,
            (select count(*) from source.product_match m where m.retailer = r.retailer and m.rejected_at is null) as doubtful
       from catalog.retailer r order by 1`,
  )
  return rows
}
