import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { barcodeKey } from './barcode.ts'
import { parseSearchQuery } from './search-terms.ts'
import { setNumberAliases } from './set-number.ts'

export type SetMatch = {
  set_number: string
  title: string
  theme: string
  release_year: number | null
  msrp_cents: number | null
}

const COLUMNS = sql`set_number, title, theme, release_year, msrp_cents`

/**
 * Returns the first sets that match a UPC, an EAN, a number or words of the title, by the API's search rules: every
 * term must occur in the number or in the title; case, accents and punctuation are ignored.
 */
export async function searchSets(db: Database, query: string, limit: number): Promise<SetMatch[]> {
  const parsed = parseSearchQuery(query)
  if (parsed === undefined) return []
  const { number, text } = parsed
  const code = barcodeKey(query.replaceAll(/[ -]/g, ''))
  const terms = parsed.terms.map(
    (term) => sql`(strpos(search_number, ${term}) > 0 or strpos(search_title, ${term}) > 0)`,
  )
  const { rows } = await sql<SetMatch>`
    select ${COLUMNS}
      from catalog.set
     where (${sql.join(terms, sql` and `)}) or '0' || upc = ${code ?? null} or ean = ${code ?? null}
     order by lower(set_number) in (${number}, ${`${number}-1`}) desc, starts_with(search_number, ${text}) desc,
              starts_with(search_title, ${text}) desc, lpad(split_part(set_number, '-', 1), 24, '0'), set_number
     limit ${limit}`.execute(db)
  return rows
}

/** Below this, a title has too little in common with a query to be what was meant. */
const MIN_SIMILARITY = 0.4
const MAX_MISSPELLED_LENGTH = 60

/** Returns the sets whose titles resemble a misspelled query most. For queries that `searchSets` doesn't find. */
export async function findSetsWithSimilarTitle(db: Database, query: string, limit: number): Promise<SetMatch[]> {
  const parsed = parseSearchQuery(query.slice(0, MAX_MISSPELLED_LENGTH))
  if (parsed === undefined) return []
  const { text } = parsed
  const { rows } = await db.transaction().execute(async (tx) => {
    // The operator that the index supports compares with a setting.
    await sql`select set_config('pg_trgm.word_similarity_threshold', ${MIN_SIMILARITY}::text, true)`.execute(tx)
    return sql<SetMatch>`
      select ${COLUMNS}
        from catalog.set
       where search_title operator(public.%>) ${text}
       order by public.word_similarity(${text}, search_title) desc, set_number
       limit ${limit}`.execute(tx)
  })
  return rows
}

/** Returns the set with this number, with or without the variant suffix `-1`. */
export async function findSetByNumber(db: Database, number: string): Promise<SetMatch | undefined> {
  const aliases = setNumberAliases(number)
  const { rows } = await sql<SetMatch>`
    select ${COLUMNS} from catalog.set where set_number = any(${aliases}::text[])
     order by array_position(${aliases}::text[], set_number) limit 1`.execute(db)
  return rows[0]
}

/**
 * Returns every set that rows of an import file may refer to: by base number (any variant), UPC or EAN, or full title.
 * `portfolio/lot-import` decides which row matches which set.
 */
export async function findSetsForImport(
  db: Database,
  { bases, barcodes, titles }: { bases: string[]; barcodes: string[]; titles: string[] },
) {
  const { rows } = await sql<SetMatch & { upc: string | null; ean: string | null; release_date: string | null }>`
    select ${COLUMNS}, upc, ean, release_date
      from catalog.set
     where lower(split_part(set_number, '-', 1)) = any(${bases}::text[])
        or '0' || upc = any(${barcodes}::text[]) or ean = any(${barcodes}::text[])
        or lower(title) = any(${titles}::text[])
     order by lpad(split_part(set_number, '-', 1), 24, '0'), set_number`.execute(db)
  return rows
}
