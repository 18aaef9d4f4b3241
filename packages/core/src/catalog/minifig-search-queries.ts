import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { parseSearchQuery } from './search-terms.ts'

type MinifigMatch = {
  minifig_number: string
  name: string
  category: string | null
  year_released: number | null
}

/** Returns the catalog's spelling of a minifig number (case-insensitive lookup). */
export async function findMinifigNumber(db: Database, number: string): Promise<string | undefined> {
  const { rows } = await sql<{ minifig_number: string }>`
    select minifig_number from catalog.minifig where lower(minifig_number) = lower(${number})`.execute(db)
  return rows[0]?.minifig_number
}

// As for sets, only names with non-ASCII letters are normalized.
const FOLDED_NAME = sql`lower(case when octet_length(name) = length(name) then name
  else regexp_replace(normalize(name, nfd), '[\u0300-\u036f]', '', 'g') end)`

/**
 * Returns the first matches by the API's search rules: every term must be a prefix of the number or occur in the name.
 */
export async function searchMinifigs(db: Database, query: string, limit: number): Promise<MinifigMatch[]> {
  const parsed = parseSearchQuery(query)
  if (parsed === undefined) return []
  const { normalized } = parsed
  const terms = parsed.terms.map((term) => sql`(starts_with(number, ${term}) or strpos(folded, ${term}) > 0)`)
  const { rows } = await sql<MinifigMatch>`
    with entry as (
      select minifig_number, name, category, year_released, lower(minifig_number) as number, ${FOLDED_NAME} as folded
        from catalog.minifig
    )
    select minifig_number, name, category, year_released
      from entry
     where ${sql.join(terms, sql` and `)}
     order by number = ${normalized} desc, starts_with(number, ${normalized}) desc, starts_with(folded, ${normalized}) desc, number
     limit ${limit}`.execute(db)
  return rows
}
