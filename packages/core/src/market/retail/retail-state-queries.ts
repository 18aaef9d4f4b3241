import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Product } from '../../source/retail-observation.ts'

/** Returns the state of these sets at every retailer. */
export function findRetailStates(db: Database, numbers: string[]) {
  return db
    .selectFrom('market.retail_state')
    .innerJoin('catalog.retailer', 'catalog.retailer.retailer', 'market.retail_state.retailer')
    .selectAll('market.retail_state')
    .select('catalog.retailer.name as retailer_name')
    .where(sql<boolean>`set_number = any(${numbers}::text[])`)
    .execute()
}

/** Returns the resale prices and net proceeds of these sets at retailer_a. */
export function findRetailExits(db: Database, numbers: string[]) {
  return db
    .selectFrom('market.resale_offer')
    .selectAll()
    .where(sql<boolean>`set_number = any(${numbers}::text[])`)
    .execute()
}

/** Returns the stored accumulator of each product and the last arrival applied to it. */
export async function findRetailAccumulators(db: Database, products: Product[]) {
  const { rows } = await sql<Product & { accumulator: object; arrival: number }>`
    select p.retailer, p.product_id, p.progress as accumulator, p.arrival
      from jsonb_to_recordset(${JSON.stringify(products)}::jsonb) as wanted (retailer text, product_id text)
      join source.retail_progress p on p.retailer = wanted.retailer and p.product_id = wanted.product_id`.execute(db)
  return rows
}
