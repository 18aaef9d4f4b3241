import { CONDITIONS } from '../../catalog/condition.ts'
import type { MarketContext } from '../../db/context.ts'
import type { Database } from '../../db/database.ts'
import { utcDayOf } from '../../primitives/calendar.ts'
import { claimQueuedItems } from './valuation-queue-commands.ts'
import { valueMinifigs, type ValuedMinifig } from './minifig-valuation.ts'
import { findLatestGrowth } from './growth-fit-queries.ts'
import { findLatestFit } from './model-fit-queries.ts'
import { readNewestSales } from './sale-store-queries.ts'
import { hasMarket, type SetAttributesRow, toSetWithSales } from './set-sales.ts'
import { findMinifigAttributes, findSetAttributes } from './valuation-input-queries.ts'
import { SetValuer, sampleMarket, type SetWithSales } from '../valuation/model-fit.ts'
import { deleteSetValues, publishMinifigValues, publishSetValues } from './value-commands.ts'

const BATCH_SIZE = 500

/** Values up to 500 dirty sets in one transaction; returns the number of sets. */
export async function valueDirtySets({ db, now }: MarketContext): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const numbers = await claimQueuedItems(transaction, 'set', BATCH_SIZE)
    if (numbers.length > 0) await valueSets(transaction, numbers, now())
    return numbers.length
  })
}

async function valueSets(db: Database, numbers: string[], now: Date): Promise<void> {
  const today = utcDayOf(now)
  const attributes = await findSetAttributes(db, today, numbers)
  const sets = await loadSetsWithSales(db, attributes, today, { withTraders: false })
  const withMarket = new Set(sets.map(({ set }) => set.set_number))
  await deleteSetValues(
    db,
    numbers.filter((number) => !withMarket.has(number)),
  )
  const latest = await findLatestFit(db)
  // Until the first month is finalized, the model can only be fitted on these sets themselves.
  const sample = () =>
    sampleMarket(
      sets.map(({ setWithSales }) => setWithSales),
      today,
    )
  const setFit = latest?.fit.sets ?? sample().fitInitialModel()
  const growth = (await findLatestGrowth(db)) ?? latest?.fit.growth ?? sample().fitGrowth()
  const valuer = new SetValuer(setFit, growth)
  const valued = sets.map(({ set, setWithSales }) => ({ set, valuation: valuer.value(setWithSales, today) }))
  // Who else a seller has traded with only matters for values in doubt, which are few.
  const isDoubtful = ({ valuation }: (typeof valued)[number]) => CONDITIONS.some((one) => valuation[one].doubtful)
  const doubtful = valued.filter(isDoubtful).map(({ set }) => set)
  const again = await loadSetsWithSales(db, doubtful, today, { withTraders: true })
  const settled = new Map(again.map(({ set, setWithSales }) => [set.set_number, valuer.value(setWithSales, today)]))
  const values = valued.flatMap(({ set: { set_number: number }, valuation }) =>
    CONDITIONS.map((condition) => ({
      number,
      condition,
      valuation: (settled.get(number) ?? valuation)[condition],
    })),
  )
  await publishSetValues(db, values, now)
}

/** Loads the sets that have a market today, with the sales they are valued on. */
async function loadSetsWithSales(
  db: Database,
  attributes: SetAttributesRow[],
  today: number,
  { withTraders }: { withTraders: boolean },
): Promise<{ set: SetAttributesRow; setWithSales: SetWithSales }[]> {
  const numbers = attributes.map((set) => set.set_number)
  const store = await readNewestSales(db, 'set', numbers, { asOf: today, withTraders })
  return attributes
    .map((set) => ({ set, setWithSales: toSetWithSales(set, store, today, today) }))
    .filter(({ set, setWithSales }) => hasMarket(set, setWithSales, today))
}

/** Values up to 500 dirty minifigs in one transaction; returns the number of minifigs. */
export async function valueDirtyMinifigs({ db, now }: MarketContext): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const numbers = await claimQueuedItems(transaction, 'minifig', BATCH_SIZE)
    if (numbers.length === 0) return 0
    const today = utcDayOf(now())
    const latest = await findLatestFit(transaction)
    const attributes = await findMinifigAttributes(transaction, numbers)
    const store = await readNewestSales(transaction, 'minifig', numbers, { asOf: today, withTraders: true })
    const valued = valueMinifigs({ attributes, store }, latest?.fit.minifigs, today, today)
    await publishMinifigs(transaction, valued, now())
    return numbers.length
  })
}

async function publishMinifigs(db: Database, valued: ValuedMinifig[], now: Date): Promise<void> {
  const rows = valued.map(({ attributes, valuation }) => ({ number: attributes.minifig_number, valuation }))
  await publishMinifigValues(db, rows, now)
}
