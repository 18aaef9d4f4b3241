import type { Database } from '../db/database.ts'
import { dress, type MarketLessons } from './valuation/model-fit.ts'

export async function saveLessons(db: Database, month: string, lessons: MarketLessons): Promise<void> {
  await db
    .insertInto('source.market_lesson')
    .values({ month, lessons: JSON.stringify(lessons, dress) })
    .execute()
}
