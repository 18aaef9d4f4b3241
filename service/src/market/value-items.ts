import type { Database } from '../db/database.ts'
import { findSetFacts } from '../db/read/item-facts.ts'
import { takeDirtyItems } from '../db/write/dirty-item.ts'
import { publishSetValues } from '../db/write/value.ts'
import { dayOf } from '../domain/month.ts'
import { Appraiser, firstLessons, growthOf } from '../domain/valuation/lessons.ts'
import { WINDOW_DAYS } from '../domain/valuation/usable-sales.ts'
import type { Engine } from './engine.ts'
import { findPublished } from './finalize-month.ts'
import { findLessons } from './lesson-store.ts'
import { SaleBook } from './sale-book.ts'
import { isOut, soldSet } from './set-sales.ts'
import { appraiseMinifigs, publishMinifigs, readMinifigs } from './value-minifigs.ts'

const ITEMS_AT_ONCE = 500

/** Values up to 500 sets that became dirty, in one transaction; returns how many. */
export async function valueDirtySets({ db, now }: Engine): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const numbers = await takeDirtyItems(transaction, 'set', ITEMS_AT_ONCE)
    if (numbers.length > 0) await valueSets(transaction, numbers, now())
    return numbers.length
  })
}

async function valueSets(db: Database, numbers: string[], now: Date): Promise<void> {
  const today = dayOf(now)
  const facts = await findSetFacts(db, numbers)
  const book = await SaleBook.read(db, 'set', numbers, today - WINDOW_DAYS)
  const sold = facts.map((set) => soldSet(set, book, today, today))
  const learnt = await findLessons(db)
  // Before the first month is frozen, these sets themselves are all there is to learn from.
  const lessons = learnt?.lessons.sets ?? firstLessons(sold, today)
  const appraiser = new Appraiser(lessons, learnt?.lessons.growth ?? growthOf(sold, today))
  const published = await findPublished(db, learnt?.month, numbers)
  const values = facts.flatMap((set, place) => {
    if (!isOut(set, today)) return []
    const previous = published.get(set.set_number) ?? { sealed: null, used: null }
    const valuation = appraiser.value(sold[place]!, today, previous)
    return (['sealed', 'used'] as const).map((condition) => ({
      number: set.set_number,
      condition,
      valuation: valuation[condition],
    }))
  })
  await publishSetValues(db, values, now)
}

/** Likewise of minifigs. */
export async function valueDirtyMinifigs({ db, now }: Engine): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const numbers = await takeDirtyItems(transaction, 'minifig', ITEMS_AT_ONCE)
    if (numbers.length === 0) return 0
    const today = dayOf(now())
    const learnt = await findLessons(transaction)
    const minifigs = await readMinifigs(transaction, today - WINDOW_DAYS, numbers)
    const valued = appraiseMinifigs(minifigs, learnt?.lessons.minifigs, today, today)
    await publishMinifigs(transaction, valued, now())
    return numbers.length
  })
}
