import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'

/** Returns the latest figures on how far published values were from the sales that followed. */
export function findAccuracy(db: Database) {
  return db
    .selectFrom('market.accuracy')
    .selectAll()
    .where('day', '=', sql<string>`(select max(day) from market.accuracy)`)
    .orderBy('condition')
    .orderBy('grouped_by')
    .orderBy('name')
    .execute()
}

/** Returns the sets whose values were furthest behind a simple method at the last measurement. */
export function findWorstItems(db: Database) {
  return db
    .selectFrom('market.accuracy_item')
    .selectAll()
    .where('day', '=', sql<string>`(select max(day) from market.accuracy_item)`)
    .orderBy(sql`simple_error_pct - error_pct`)
    .execute()
}

/** Returns for how many days in a row a simple method has been better than the values, for the worse condition. */
export async function findDaysBehindSimpleMethod(db: Database): Promise<number> {
  const { rows } = await sql<{ days: number }>`
    select coalesce(max(days), 0)::integer as days from (
      select count(*) filter (where day > coalesce(last_good, '-infinity')) as days
        from (select day, condition,
                     max(day) filter (where simple_error_pct is null or median_error_pct <= simple_error_pct)
                       over (partition by condition) as last_good
                from market.accuracy where grouped_by = 'all') measured
       group by condition) streaks`.execute(db)
  return rows[0]!.days
}
