import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'

/** A set of the same theme, with its sealed value in cents. */
export type SimilarSet = { set_number: string; title: string; value_cents: number | null }

/** Returns the sets of the same theme whose list price is closest, without those that have no list price. */
export async function findSimilarSets(
  db: Database,
  { set_number, theme, msrp }: { set_number: string; theme: string; msrp: number | null },
  limit: number,
): Promise<SimilarSet[]> {
  if (msrp === null) return []
  const { rows } = await sql<SimilarSet>`
    select s.set_number, s.title, v.value_cents
      from catalog.set s
      left join market.set_value v on v.set_number = s.set_number and v.condition = 'sealed'
     where s.theme = ${theme} and s.set_number <> ${set_number} and s.msrp_cents > 0
     order by abs(ln(s.msrp_cents) - ln(${msrp}::integer)), s.set_number
     limit ${limit}`.execute(db)
  return rows
}
