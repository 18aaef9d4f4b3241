import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { MinifigRecord } from './minifig-record.ts'
import { toValueRecord } from './set-record-queries.ts'

/** Loads minifigs with their computed values: all of them, or only those with the given numbers. */
export async function loadMinifigs(db: Database, numbers?: string[]): Promise<MinifigRecord[]> {
  const minifigs = await db
    .selectFrom('catalog.minifig')
    .select(['minifig_number', 'name', 'category', 'color', 'year_released', 'image_url'])
    .select(
      sql<string[]>`array(
        select alias from catalog.minifig_alias a where a.minifig_number = minifig.minifig_number order by alias)`.as(
        'aliases',
      ),
    )
    .$if(numbers !== undefined, (q) => q.where(sql<boolean>`minifig_number = any(${numbers}::text[])`))
    .execute()
  const values = await db
    .selectFrom('market.minifig_value')
    .selectAll()
    .$if(numbers !== undefined, (q) => q.where(sql<boolean>`minifig_number = any(${numbers}::text[])`))
    .execute()
  const valueByNumber = new Map(values.map((row) => [row.minifig_number, toValueRecord(row)]))
  return minifigs.map((minifig) => ({ ...minifig, value: valueByNumber.get(minifig.minifig_number) }))
}

/** Returns the sets that contain a minifig, with its quantity in each and their sealed value. */
export async function findSetsWithMinifig(db: Database, minifigNumber: string) {
  const { rows } = await sql<{
    set_number: string
    title: string
    theme: string
    quantity: number
    value_cents: number | null
  }>`
    select s.set_number, s.title, s.theme, m.quantity, v.value_cents
      from catalog.set_minifig m
      join catalog.set s using (set_number)
      left join market.set_value v on v.set_number = s.set_number and v.condition = 'sealed'
     where m.minifig_number = ${minifigNumber}`.execute(db)
  return rows
}
