import { CONDITIONS } from '../catalog/condition.ts'
import type { MarketContext } from '../db/context.ts'
import type { Database } from '../db/database.ts'
import { utcDayOf } from '../primitives/calendar.ts'
import { claimDirtyItems } from './dirty-item-commands.ts'
import { valueMinifigs, type ValuedMinifig } from './minifig-valuation.ts'
import { findLatestGrowth } from './growth-fit-queries.ts'
import { findLatestFit } from './model-fit-queries.ts'
import { readNewestSales } from './sale-store-queries.ts'
import { type SetAttributesRow, isReleased, toSetWithSales } from './set-sales.ts'
import { findMinifigAttributes, findPreviousValues, findSetAttributes } from './valuation-input-queries.ts'
import { SetValuer, sampleMarket, type SetWithSales } from './valuation/model-fit.ts'
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
  const attributes = (await findSetAttributes(db, today, numbers)).filter((set) => isReleased(set, today))
  const sold = await loadSetsWithSales(db, attributes, today, { parties: false })
  const latest = await findLatestFit(db)
  // Until the first month is finalized, the model can only be fitted on these sets themselves.
  const setFit = latest?.fit.sets ?? sampleMarket(sold, today).fitInitialModel()
  const growth = (await findLatestGrowth(db)) ?? latest?.fit.growth ?? sampleMarket(sold, today).fitGrowth()
  const valuer = new SetValuer(setFit, growth)
  const published = await findPreviousValues(db, latest?.month, today, numbers)
  const valueSet = (set: SetAttributesRow, sales: SetWithSales) =>
    valuer.value(sales, today, published.get(set.set_number) ?? { sealed: [], used: [] })

  const valuations = attributes.map((set, index) => valueSet(set, sold[index]!))
  // Trader history is only needed to check large moves, which are few, so load it only for held values.
  const heldIndexes = [...attributes.keys()].filter(
    (index) => valuations[index]!.sealed.held || valuations[index]!.used.held,
  )
  const heldSets = heldIndexes.map((index) => attributes[index]!)
  for (const [index, sales] of (await loadSetsWithSales(db, heldSets, today, { parties: true })).entries()) {
    valuations[heldIndexes[index]!] = valueSet(heldSets[index]!, sales)
  }
  const values = attributes.flatMap(({ set_number: number }, index) =>
    CONDITIONS.map((condition) => ({ number, condition, valuation: valuations[index]![condition] })),
  )
  await publishSetValues(db, values, now)
}

async function loadSetsWithSales(
  db: Database,
  attributes: SetAttributesRow[],
  today: number,
  { parties }: { parties: boolean },
): Promise<SetWithSales[]> {
  const numbers = attributes.map((set) => set.set_number)
  const store = await readNewestSales(db, 'set', numbers, { asOf: today, withTraders: parties })
  return attributes.map((set) => toSetWithSales(set, store, today, today))
}

/** Values up to 500 dirty minifigs in one transaction; returns the number of minifigs. */
export async function valueDirtyMinifigs({ db, now }: MarketContext): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const numbers = await claimDirtyItems(transaction, 'minifig', BATCH_SIZE)
    if (numbers.length === 0) return 0
    const today = utcDayOf(now())
    const latest = await findLatestFit(transaction)
    const attributes = await findMinifigAttributes(transaction, numbers)
    const store = await readNewestSales(transaction, 'minifig', numbers, { asOf: today, withTraders: false })
    const valued = valueMinifigs({ attributes, store }, latest?.fit.minifigs, today, today)
    await publishMinifigs(transaction, valued, now())
    return numbers.length
  })
}

async function publishMinifigs(db: Database, valued: ValuedMinifig[], now: Date): Promise<void> {
  const rows = valued.map(({ attributes, valuation }) => ({ number: attributes.minifig_number, valuation }))
  await publishMinifigValues(db, rows, now)
}
