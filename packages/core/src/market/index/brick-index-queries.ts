import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { confidenceBand } from './brick-index.ts'

/** The theme that stands for all themes. */
export const ALL_THEMES = ''

/** Returns the index of a theme, or of all themes, by month ('YYYY-MM'), with its 90 % confidence band. */
export async function findBrickIndex(db: Database, theme = ALL_THEMES) {
  const rows = await db
    .selectFrom('market.brick_index')
    .select(['month', 'level', 'log_error', 'sets'])
    .where('theme', '=', theme)
    .orderBy('month')
    .execute()
  return rows.map(({ month, level, log_error: logError, sets }) => ({
    month: month.slice(0, 7),
    level,
    ...confidenceBand({ level, logError }),
    sets,
  }))
}

/** Returns the latest point of each theme's index. */
export async function findLatestIndexPoints(db: Database) {
  const { rows } = await sql<{ theme: string; month: string; level: number; log_error: number; sets: number }>`
    select distinct on (theme) theme, month, level, log_error, sets
      from market.brick_index order by theme, month desc`.execute(db)
  return rows
}

/**
 * Returns the log change in value of every sealed set between the ends of two months ('YYYY-MM-DD', their first days). The
 * set must have been retired by the end of the first one and have sales of its own in both.
 */
export async function findIndexChanges(db: Database, from: string, to: string) {
  const { rows } = await sql<{ theme: string; change: number }>`
    select s.theme, ln(b.value_cents::float8 / a.value_cents) as change
      from source.month_valuation a
      join source.month_valuation b using (item_kind, item_number, condition)
      join catalog.set s on s.set_number = a.item_number
     where a.item_kind = 'set' and a.condition = 'sealed' and a.month = ${from}::date and b.month = ${to}::date
       and a.data_tier in ('market', 'thin') and b.data_tier in ('market', 'thin')
       and s.retire_date < ${from}::date + interval '1 month'
     order by a.item_number`.execute(db)
  return rows
}
