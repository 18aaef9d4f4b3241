import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { MarketGrowth } from '../domain/valuation/growth.ts'
import type { Lessons } from '../domain/valuation/lessons.ts'
import type { PriorTable } from '../domain/valuation/priors.ts'

/** Everything a month teaches: about sets, how the market grew, and about minifigs. */
export type MarketLessons = {
  sets: Lessons
  growth: MarketGrowth
  minifigs: { priors: PriorTable | null; scale: number }
}

/** What the last finalized month up to `month` ('YYYY-MM-DD', its first day) taught, or undefined when there is none. */
export async function findLessons(
  db: Database,
  month?: string,
): Promise<{ month: string; lessons: MarketLessons } | undefined> {
  const row = await db
    .selectFrom('source.market_lesson')
    .select(['month', sql<string>`lessons::text`.as('lessons')])
    .$if(month !== undefined, (q) => q.where('month', '<=', month!))
    .orderBy('month', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && { month: row.month, lessons: JSON.parse(row.lessons, revive) as MarketLessons }
}

export async function saveLessons(db: Database, month: string, lessons: MarketLessons): Promise<void> {
  await db
    .insertInto('source.market_lesson')
    .values({ month, lessons: JSON.stringify(lessons, dress) })
    .execute()
}

/** JSON knows neither maps nor typed arrays. */
function dress(_key: string, value: unknown): unknown {
  if (value instanceof Map) return { map: [...(value as Map<string, unknown>)] }
  if (value instanceof Float64Array) return { floats: [...value] }
  return value
}

function revive(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  if ('map' in value) return new Map(value.map as [string, unknown][])
  return 'floats' in value ? Float64Array.from(value.floats as number[]) : value
}
