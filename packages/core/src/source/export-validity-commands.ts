import type pg from 'pg'

/** Withdraws all exports, because a license or a source has changed. The worker writes new ones. */
export async function invalidateExports(pool: pg.Pool): Promise<void> {
  await pool.query('update export.validity set valid_from = clock_timestamp()')
}
