import type pg from 'pg'

/** Makes the service stop serving the exports there are: a license or a source has changed. They are written anew. */
export async function invalidateExports(pool: pg.Pool): Promise<void> {
  await pool.query('update export.validity set valid_from = clock_timestamp()')
}
