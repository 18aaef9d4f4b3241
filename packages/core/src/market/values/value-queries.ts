import { hasSetNumberIn } from '../../catalog/set-queries.ts'
import type { Database } from '../../db/database.ts'

/** Returns the computed values of these sets, sealed and used. */
export function findSetValues(db: Database, numbers: string[]) {
  return db.selectFrom('market.set_value').selectAll().where(hasSetNumberIn(numbers)).execute()
}
