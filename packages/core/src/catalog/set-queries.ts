import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

export async function findSetNumbers(db: Database): Promise<string[]> {
  const rows = await db.selectFrom('catalog.set').select('set_number').execute()
  return rows.map((row) => row.set_number)
}

export function findSets(db: Database, numbers: string[]) {
  return db.selectFrom('catalog.set').selectAll().where(hasSetNumberIn(numbers)).execute()
}

/** Returns the minifigs of each set, in display order. */
export function findSetMinifigs(db: Database, numbers: string[]) {
  return db
    .selectFrom('catalog.set_minifig')
    .selectAll()
    .where(hasSetNumberIn(numbers))
    .orderBy('set_number')
    .orderBy('minifig_number')
    .execute()
}

export function hasSetNumberIn(numbers: string[]) {
  return sql<boolean>`set_number = any(${numbers}::text[])`
}
