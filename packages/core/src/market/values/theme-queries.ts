import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'

/** A theme with its largest set as an example, and the change of its index over the last year as a ratio. */
export type ThemeSummary = { theme: string; sets: number; example: string; year_change: number | null }

/** Returns all themes, those with the most sets first. */
export async function findThemes(db: Database): Promise<ThemeSummary[]> {
  const { rows } = await sql<ThemeSummary>`
    with latest as (
      select distinct on (theme) theme, month, level from market.brick_index order by theme, month desc
    ), change as (
      select latest.theme, latest.level / year_ago.level - 1 as year_change
        from latest
        join market.brick_index year_ago
          on year_ago.theme = latest.theme and year_ago.month = latest.month - interval '1 year'
    )
    select s.theme, count(*)::integer as sets, max(change.year_change) as year_change,
           (array_agg(s.set_number order by s.pieces desc nulls last, s.set_number))[1] as example
      from catalog.set s
      left join change using (theme)
     group by s.theme
     order by sets desc, s.theme`.execute(db)
  return rows
}

/** Orders of a theme's sets. */
const THEME_ORDERS = {
  value: sql`value_cents desc nulls last`,
  newest: sql`release_year desc nulls last, release_date desc nulls last`,
  name: sql`lower(title)`,
}
export type ThemeOrder = keyof typeof THEME_ORDERS

/** A set with its sealed value, in cents. */
export type ListedSet = {
  set_number: string
  title: string
  theme: string
  pieces: number | null
  release_date: string | null
  release_year: number | null
  retire_date: string | null
  value_cents: number | null
}

const LISTED_SET = sql`s.set_number, s.title, s.theme, s.pieces, s.release_date, s.release_year, s.retire_date, v.value_cents`

/** Returns one page of a theme's sets, and how many there are. */
export async function findSetsOfTheme(
  db: Database,
  theme: string,
  { order, offset, limit }: { order: ThemeOrder; offset: number; limit: number },
): Promise<{ sets: ListedSet[]; total: number }> {
  const { rows } = await sql<ListedSet & { total: number }>`
    select ${LISTED_SET}, count(*) over ()::integer as total
      from catalog.set s
      left join market.set_value v on v.set_number = s.set_number and v.condition = 'sealed'
     where s.theme = ${theme}
     order by ${THEME_ORDERS[order]}, s.set_number
     limit ${limit} offset ${offset}`.execute(db)
  return { sets: rows, total: rows[0]?.total ?? 0 }
}

/** Returns the retired set of each theme whose value rests on the most sellers, best supported first. */
export async function findShowcaseSets(db: Database, limit: number): Promise<ListedSet[]> {
  const { rows } = await sql<ListedSet>`
    select * from (
      select distinct on (s.theme) ${LISTED_SET}, v.sellers
        from catalog.set s
        join market.set_value v on v.set_number = s.set_number and v.condition = 'sealed' and v.data_tier = 'market'
       where s.retire_date < current_date
       order by s.theme, v.sellers desc, s.set_number
    ) best
     order by sellers desc, set_number
     limit ${limit}`.execute(db)
  return rows
}

/** Returns how many sets have a value, of how many themes, and over how many months values reach back. */
export async function findCatalogFigures(db: Database) {
  const { rows } = await sql<{ sets: number; themes: number; months: number }>`
    select count(*)::integer as sets, count(distinct s.theme)::integer as themes,
           (select count(*)::integer from market.finalized_month) as months
      from catalog.set s
     where exists (select from market.set_value v where v.set_number = s.set_number and v.value_cents is not null)`.execute(
    db,
  )
  return rows[0]!
}

/** Returns the numbers of all sets and minifigs, for the sitemap. */
export async function findCatalogNumbers(db: Database) {
  const [sets, minifigs] = await Promise.all([
    db.selectFrom('catalog.set').select('set_number').orderBy('set_number').execute(),
    db.selectFrom('catalog.minifig').select('minifig_number').orderBy('minifig_number').execute(),
  ])
  return {
    sets: sets.map(({ set_number }) => set_number),
    minifigs: minifigs.map(({ minifig_number }) => minifig_number),
  }
}

/** Returns the theme with this name in its usual spelling, in any case. */
export async function findThemeName(db: Database, name: string): Promise<string | undefined> {
  const { rows } = await sql<{ theme: string }>`
    select theme from catalog.set where lower(theme) = lower(${name}) limit 1`.execute(db)
  return rows[0]?.theme
}
