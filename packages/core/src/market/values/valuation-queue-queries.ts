import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'

/** Returns for how many seconds the oldest observation of a retail price, and the oldest item to value, have waited. */
export async function findQueueAges(db: Database): Promise<{ retailSeconds: number; valueSeconds: number }> {
  const { rows } = await sql<{ retailSeconds: number; valueSeconds: number }>`
    select coalesce(extract(epoch from now() - (select min(marked_at) from source.retail_queue)), 0)::float8 as "retailSeconds",
           coalesce(extract(epoch from now() - (select min(marked_at) from source.valuation_queue)), 0)::float8 as "valueSeconds"`.execute(
    db,
  )
  return rows[0]!
}
