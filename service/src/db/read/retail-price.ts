import { sql } from 'kysely'
import type { Database } from '../database.ts'

/** The state of these sets at every retailer. */
export function findRetailStates(db: Database, numbers: string[]) {
  return db
    .selectFrom('market.retail_state')
    .innerJoin('catalog.retailer', 'catalog.retailer.retailer', 'market.retail_state.retailer')
    .selectAll('market.retail_state')
    .select('catalog.retailer.name as retailer_name')
    .where(sql<boolean>`set_number = any(${numbers}::text[])`)
    .execute()
}

/** What selling at retailer_a would bring. */
export function findRetailExits(db: Database, numbers: string[]) {
  return db
    .selectFrom('market.retail_exit')
    .selectAll()
    .where(sql<boolean>`set_number = any(${numbers}::text[])`)
    .execute()
}
