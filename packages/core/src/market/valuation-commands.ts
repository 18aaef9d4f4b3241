import { CONDITIONS } from '../catalog/condition.ts'
import type { MarketContext } from '../db/context.ts'
import type { Database } from '../db/database.ts'
import { utcDayOf } from '../primitives/calendar.ts'
import { claimDirtyItems } from './dirty-item-commands.ts'
import { valueMinifigs, type ValuedMinifig } from './minifig-valuation.ts'
import { findLatestFit } from './model-fit-queries.ts'
import { readNewestSales } from './sale-store-queries.ts'
import { type SetAttributesRow, isReleased, toSetWithSales } from './set-sales.ts'
import { findMinifigAttributes, findPreviousValues, findSetAttributes } from './valuation-input-queries.ts'
import { SetValuer, initialFit, fitGrowthFromSets, type SetWithSales } from './valuation/model-fit.ts'
import { publishMinifigValues, publishSetValues } from './value-commands.ts'

const BATCH_SIZE = 500

/** Values up to 500 sets that became dirty, in one transaction; returns how many. */
export async function valueDirtySets({ db, now }: MarketContext): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const numbers = await claimDirtyItems(transaction, 'set', BATCH_SIZE)
    if (numbers.length > 0) await valueSets(transaction, numbers, now())
    return numbers.length
  })
}

async function valueSets(db: Database, numbers: string[], now: Date): Promise<void> {
  const today = utcDayOf(now)
  const facts = (await findSetAttributes(db, numbers)).filter((set) => isReleased(set, today))
  const sold = await loadSetsWithSales(db, facts, today, { parties: false })
  const fit = await findLatestFit(db)
  // Before the first month is frozen, these sets themselves are all there is to learn from.
  const lessons = fit?.lessons.sets ?? initialFit(sold, today)
  const appraiser = new SetValuer(lessons, fit?.lessons.growth ?? fitGrowthFromSets(sold, today))
  const published = await findPreviousValues(db, fit?.month, numbers)
  const valueSet = (set: SetAttributesRow, sales: SetWithSales) =>
    appraiser.value(sales, today, published.get(set.set_number) ?? { sealed: null, used: null })

  const valuations = facts.map((set, index) => valueSet(set, sold[index]!))
  // Only a move too large to go unquestioned asks who stands behind it, and few are.
  const heldIndexes = [...facts.keys()].filter(
    (index) => valuations[index]!.sealed.held || valuations[index]!.used.held,
  )
  const heldSets = heldIndexes.map((index) => facts[index]!)
  for (const [at, sales] of (await loadSetsWithSales(db, heldSets, today, { parties: true })).entries()) {
    valuations[heldIndexes[at]!] = valueSet(heldSets[at]!, sales)
  }
  const values = facts.flatMap(({ set_number: number }, index) =>
    CONDITIONS.map((condition) => ({ number, condition, valuation: valuations[index]![condition] })),
  )
  await publishSetValues(db, values, now)
}

async function loadSetsWithSales(
  db: Database,
  facts: SetAttributesRow[],
  today: number,
  { parties }: { parties: boolean },
): Promise<SetWithSales[]> {
  const numbers = facts.map((set) => set.set_number)
  const book = await readNewestSales(db, 'set', numbers, { asOf: today, withTraders: parties })
  return facts.map((set) => toSetWithSales(set, book, today, today))
}

/** Likewise of minifigs. */
export async function valueDirtyMinifigs({ db, now }: MarketContext): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const numbers = await claimDirtyItems(transaction, 'minifig', BATCH_SIZE)
    if (numbers.length === 0) return 0
    const today = utcDayOf(now())
    const fit = await findLatestFit(transaction)
    const facts = await findMinifigAttributes(transaction, numbers)
    const book = await readNewestSales(transaction, 'minifig', numbers, { asOf: today, withTraders: false })
    const valued = valueMinifigs({ attributes: facts, book }, fit?.lessons.minifigs, today, today)
    await publishMinifigs(transaction, valued, now())
    return numbers.length
  })
}

async function publishMinifigs(db: Database, valued: ValuedMinifig[], now: Date): Promise<void> {
  const rows = valued.map(({ attributes: facts, valuation }) => ({ number: facts.minifig_number, valuation }))
  await publishMinifigValues(db, rows, now)
}
