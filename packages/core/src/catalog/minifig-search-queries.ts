import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { parseSearchQuery } from './search-terms.ts'

type MinifigMatch = {
  minifig_number: string
  name: string
  category: string | null
  year_released: number | null
}

/** Returns the number of the minifig that has this number or alias, in any case. */
export async function findMinifigNumber(db: Database, number: string): Promise<string | undefined> {
  const { rows } = await sql<{ minifig_number: string }>`
    select minifig_number from catalog.minifig where lower(minifig_number) = lower(${number})
     union all
    select minifig_number from catalog.minifig_alias where lower(alias) = lower(${number})`.execute(db)
  return rows[0]?.minifig_number
}

/** Returns the first matches by the API's search rules: every term must occur in the number or in the name. */
export async function searchMinifigs(db: Database, query: string, limit: number): Promise<MinifigMatch[]> {
  const parsed = parseSearchQuery(query)
  if (parsed === undefined) return []
  const { number, text } = parsed
  const terms = parsed.terms.map(
    (term) => sql`(strpos(search_number, ${term}) > 0 or strpos(search_name, ${term}) > 0)`,
  )
  const { rows } = await sql<MinifigMatch>`
    select minifig_number, name, category, year_released
      from catalog.minifig
     where ${sql.join(terms, sql` and `)}
     order by lower(minifig_number) = ${number} desc, starts_with(search_number, ${text}) desc,
              starts_with(search_name, ${text}) desc, lower(minifig_number)
     limit ${limit}`.execute(db)
  return rows
}
