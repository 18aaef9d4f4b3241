import type pg from 'pg'

/** Runs `work` in a transaction of its own. A connection whose transaction failed isn't reused. */
export async function inTransaction<T>(pool: pg.Pool, work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let failed: Error | undefined
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    failed = error as Error
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    client.release(failed)
  }
}
