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

/** Values up to 500 dirty sets in one transaction; returns the number of sets. */
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
  // Until the first month is finalized, the model can only be fitted on these sets themselves.
  const setFit = fit?.lessons.sets ?? initialFit(sold, today)
  const valuer = new SetValuer(setFit, fit?.lessons.growth ?? fitGrowthFromSets(sold, today))
  const published = await findPreviousValues(db, fit?.month, numbers)
  const valueSet = (set: SetAttributesRow, sales: SetWithSales) =>
    valuer.value(sales, today, published.get(set.set_number) ?? { sealed: null, used: null })

  const valuations = facts.map((set, index) => valueSet(set, sold[index]!))
  // Trader history is only needed to check large moves, which are few, so load it only for held values.
  const heldIndexes = [...facts.keys()].filter(
    (index) => valuations[index]!.sealed.held || valuations[index]!.used.held,
  )
  const heldSets = heldIndexes.map((index) => facts[index]!)
  for (const [index, sales] of (await loadSetsWithSales(db, heldSets, today, { parties: true })).entries()) {
    valuations[heldIndexes[index]!] = valueSet(heldSets[index]!, sales)
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

/** Values up to 500 dirty minifigs in one transaction; returns the number of minifigs. */
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
