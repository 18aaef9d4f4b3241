import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

/** Returns the sets that anybody watches or owns, without whose they are. For the worker. */
export async function findWantedSets(db: Database): Promise<string[]> {
  const { rows } = await sql<{ set_number: string }>`select set_number from portfolio.wanted_sets()`.execute(db)
  return rows.map((row) => row.set_number)
}
