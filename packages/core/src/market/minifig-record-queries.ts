import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { MinifigRecord } from './minifig-record.ts'
import { toValueRecord } from './set-record-queries.ts'

/** Loads minifigs with their computed values: all of them, or only those with the given numbers. */
export async function loadMinifigs(db: Database, numbers?: string[]): Promise<MinifigRecord[]> {
  const rows = await db
    .selectFrom('catalog.minifig as m')
    .leftJoin('market.minifig_value as v', 'v.minifig_number', 'm.minifig_number')
    .select(['m.minifig_number', 'm.name', 'm.category', 'm.color', 'm.year_released', 'm.image_url'])
    .select(['v.value_cents', 'v.range_low_cents', 'v.range_high_cents', 'v.data_tier', 'v.calculated_at'])
    .$if(numbers !== undefined, (q) => q.where(sql<boolean>`m.minifig_number = any(${numbers}::text[])`))
    .execute()
  return rows.map(({ value_cents, range_low_cents, range_high_cents, data_tier, calculated_at, ...minifig }) => ({
    ...minifig,
    value:
      data_tier === null || calculated_at === null
        ? undefined
        : toValueRecord({ value_cents, range_low_cents, range_high_cents, data_tier, calculated_at }),
  }))
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
