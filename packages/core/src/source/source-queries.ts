import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

/** Returns every source with its license, the highest rank first. */
export async function findSources(db: Database) {
  const { rows } = await sql<{
    id: string
    name: string
    rank: number
    withdrawn_at: Date | null
    license_id: string
    feeds_values: boolean
    shown: boolean
    max_display_age: string | null
    retention: string | null
  }>`
    select source.id, source.name, source.rank, source.withdrawn_at, source.license_id, license.feeds_values,
           license.shown, license.max_display_age::text, license.retention::text
      from source.source join source.license on license.id = source.license_id
     order by source.rank desc, source.id`.execute(db)
  return rows
}

/** Counts what is stored of a source; undefined if there is none of that name. */
export async function countSourceRows(db: Database, sourceId: string) {
  const { rows } = await sql<{
    sets: number
    minifigs: number
    contents: number
    sales: number
    valued_items: number
    returns: number
    retail_observations: number
    products: number
  }>`
    select (select count(*) from source.set_claim where source_id = source.id) as sets,
           (select count(*) from source.minifig_claim where source_id = source.id) as minifigs,
           (select count(*) from source.set_minifig_claim where source_id = source.id) as contents,
           (select count(*) from source.sale_observation where source_id = source.id) as sales,
           (select count(distinct (item_kind, item_number)) from source.sale_observation where source_id = source.id)
             as valued_items,
           (select count(*) from source.sale_return where source_id = source.id) as returns,
           (select count(*) from source.retail_observation where source_id = source.id) as retail_observations,
           (select count(*) from source.retail_product where source_id = source.id) as products
      from source.source where id = ${sourceId}`.execute(db)
  return rows[0]
}
