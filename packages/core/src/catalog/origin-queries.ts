import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { groupBySource, type ItemSource, type Origin } from './origin.ts'

/** Returns the sources of what the catalog says about a set, including its minifigs. */
export async function findSetSources(db: Database, setNumber: string): Promise<ItemSource[]> {
  const row = await db
    .selectFrom('catalog.set_origin')
    .select(['origins', 'minifigs'])
    .where('set_number', '=', setNumber)
    .executeTakeFirst()
  if (row === undefined) return []
  return groupBySource({ ...(row.origins as Origins), minifigs: row.minifigs as Origin | null }, await findCredits(db))
}

/** Returns the sources of what the catalog says about a minifig. */
export async function findMinifigSources(db: Database, minifigNumber: string): Promise<ItemSource[]> {
  const row = await db
    .selectFrom('catalog.minifig_origin')
    .select('origins')
    .where('minifig_number', '=', minifigNumber)
    .executeTakeFirst()
  return row === undefined ? [] : groupBySource(row.origins as Origins, await findCredits(db))
}

type Origins = Record<string, Origin | null>

async function findCredits(db: Database) {
  const { rows } = await sql<{ id: string; name: string; attribution: string | null; attribution_url: string | null }>`
    select id, name, attribution, attribution_url from catalog.source_credit`.execute(db)
  return rows
}
