import { sql } from 'kysely'
import type { Database } from '../database.ts'

/** The state of every product at every retailer, or only of these sets. */
export function findRetailStates(db: Database, numbers?: string[]) {
  return db
    .selectFrom('market.retail_state')
    .innerJoin('catalog.retailer', 'catalog.retailer.retailer', 'market.retail_state.retailer')
    .selectAll('market.retail_state')
    .select('catalog.retailer.name as retailer_name')
    .$if(numbers !== undefined, (q) => q.where(sql<boolean>`set_number = any(${numbers}::text[])`))
    .execute()
}

/** What selling at retailer_a would bring. */
export function findRetailExits(db: Database, numbers?: string[]) {
  return db
    .selectFrom('market.retail_exit')
    .selectAll()
    .$if(numbers !== undefined, (q) => q.where(sql<boolean>`set_number = any(${numbers}::text[])`))
    .execute()
}
