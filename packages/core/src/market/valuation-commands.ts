import { CONDITIONS } from '../catalog/condition.ts'
import type { Engine } from '../db/context.ts'
import type { Database } from '../db/database.ts'
import { dayOf } from '../primitives/calendar.ts'
import { takeDirtyItems } from './dirty-item-commands.ts'
import { appraiseMinifigs, type ValuedMinifig } from './minifig-valuation.ts'
import { findLessons } from './model-fit-queries.ts'
import { readNewestSales } from './sale-store-queries.ts'
import { type CatalogFacts, isOut, soldSet } from './set-sales.ts'
import { findMinifigFacts, findPublished, findSetFacts } from './valuation-input-queries.ts'
import { Appraiser, firstLessons, growthOf, type SoldSet } from './valuation/model-fit.ts'
import { publishMinifigValues, publishSetValues } from './value-commands.ts'

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
  const facts = (await findSetFacts(db, numbers)).filter((set) => isOut(set, today))
  const sold = await readSold(db, facts, today, { parties: false })
  const learnt = await findLessons(db)
  // Before the first month is frozen, these sets themselves are all there is to learn from.
  const lessons = learnt?.lessons.sets ?? firstLessons(sold, today)
  const appraiser = new Appraiser(lessons, learnt?.lessons.growth ?? growthOf(sold, today))
  const published = await findPublished(db, learnt?.month, numbers)
  const appraise = (set: CatalogFacts, sales: SoldSet) =>
    appraiser.value(sales, today, published.get(set.set_number) ?? { sealed: null, used: null })

  const valuations = facts.map((set, place) => appraise(set, sold[place]!))
  // Only a move too large to go unquestioned asks who stands behind it, and few are.
  const held = [...facts.keys()].filter((place) => valuations[place]!.sealed.held || valuations[place]!.used.held)
  const heldSets = held.map((place) => facts[place]!)
  for (const [at, sales] of (await readSold(db, heldSets, today, { parties: true })).entries()) {
    valuations[held[at]!] = appraise(heldSets[at]!, sales)
  }
  const values = facts.flatMap(({ set_number: number }, place) =>
    CONDITIONS.map((condition) => ({ number, condition, valuation: valuations[place]![condition] })),
  )
  await publishSetValues(db, values, now)
}

async function readSold(
  db: Database,
  facts: CatalogFacts[],
  today: number,
  { parties }: { parties: boolean },
): Promise<SoldSet[]> {
  const numbers = facts.map((set) => set.set_number)
  const book = await readNewestSales(db, 'set', numbers, { asOf: today, parties })
  return facts.map((set) => soldSet(set, book, today, today))
}

/** Likewise of minifigs. */
export async function valueDirtyMinifigs({ db, now }: Engine): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const numbers = await takeDirtyItems(transaction, 'minifig', ITEMS_AT_ONCE)
    if (numbers.length === 0) return 0
    const today = dayOf(now())
    const learnt = await findLessons(transaction)
    const facts = await findMinifigFacts(transaction, numbers)
    const book = await readNewestSales(transaction, 'minifig', numbers, { asOf: today, parties: false })
    const valued = appraiseMinifigs({ facts, book }, learnt?.lessons.minifigs, today, today)
    await publishMinifigs(transaction, valued, now())
    return numbers.length
  })
}

async function publishMinifigs(db: Database, valued: ValuedMinifig[], now: Date): Promise<void> {
  const rows = valued.map(({ facts, valuation }) => ({ number: facts.minifig_number, valuation }))
  await publishMinifigValues(db, rows, now)
}
