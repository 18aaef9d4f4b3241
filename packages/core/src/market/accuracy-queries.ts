import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

/** Returns the latest figures on how far published values were from the sales that followed. */
export function findAccuracy(db: Database) {
  return db
    .selectFrom('market.accuracy')
    .selectAll()
    .where('day', '=', sql<string>`(select max(day) from market.accuracy)`)
    .orderBy('condition')
    .orderBy('grouped_by')
    .orderBy('name')
    .execute()
}
