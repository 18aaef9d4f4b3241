import { sql } from 'kysely'
import type { Database } from './database.ts'

const ROWS = 10_000

/**
 * Calls a function of the database that deletes up to a number of rows until nothing is left, a transaction each: a single one
 * could take longer than a statement may. Returns how many were deleted.
 */
export async function deleteInBatches(db: Database, deleteRows: string): Promise<number> {
  let total = 0
  for (let deleted = ROWS; deleted === ROWS; total += deleted) {
    const { rows } = await sql<{ deleted: string }>`select ${sql.raw(deleteRows)}(${ROWS}) as deleted`.execute(db)
    deleted = Number(rows[0]!.deleted)
  }
  return total
}
