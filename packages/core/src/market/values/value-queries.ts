import { hasSetNumberIn } from '../../catalog/set-queries.ts'
import type { Database } from '../../db/database.ts'

/** Returns the computed values of these sets, sealed and used. */
export function findSetValues(db: Database, numbers: string[]) {
  return db.selectFrom('market.set_value').selectAll().where(hasSetNumberIn(numbers)).execute()
}

/** Returns the value of a sealed copy of each of these sets that has one, in cents. */
export async function findSealedValues(db: Database, numbers: string[]): Promise<Map<string, number>> {
  const values = await findSetValues(db, numbers)
  return new Map(
    values.flatMap(({ set_number, condition, value_cents }) =>
      condition === 'sealed' && value_cents !== null ? [[set_number, value_cents]] : [],
    ),
  )
}
