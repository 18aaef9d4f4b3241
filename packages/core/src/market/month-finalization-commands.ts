import type { MarketContext } from '../db/context.ts'
import type { Database } from '../db/database.ts'
import { lastDayOfMonth, monthIndex, formatMonth } from '../primitives/calendar.ts'
import { valueMinifigs, fitMinifigs } from './minifig-valuation.ts'
import { saveFit } from './model-fit-commands.ts'
import { findLatestFit } from './model-fit-queries.ts'
import { valueAllSets, detailRows, knowledgeCutoff, latestFinalizableMonth, monthRows } from './month-finalization.ts'
import { readSales } from './sale-store-queries.ts'
import type { SaleStore } from './sale-store.ts'
import { claimMonth, insertMonth } from './set-month-commands.ts'
import { type SetAttributesRow, isReleased, toSetWithSales } from './set-sales.ts'
import {
  findFirstSaleDate,
  findPreviousValues,
  findSetAttributes,
  findPublishedEvents,
  loadMinifigSales,
} from './valuation-input-queries.ts'
import { SetValuer, initialFit, fitGrowthFromSets, fitModel } from './valuation/model-fit.ts'
import { WINDOW_DAYS } from './valuation/usable-sales.ts'

/**
 * Finalizes every due month that isn't finalized yet, oldest first, each in its own transaction. A month depends only
 * on the data known at its cutoff and on earlier months, so a late or repeated run writes the same rows.
 */
export async function finalizeDueMonths({
  db,
  now,
}: MarketContext): Promise<{ finalized: number; alreadyFinalized: number }> {
  const today = now().toISOString().slice(0, 10)
  const last = latestFinalizableMonth(today)
  const newest = await db
    .selectFrom('market.finalized_month')
    .select('month')
    .orderBy('month', 'desc')
    .limit(1)
    .executeTakeFirst()
  const firstSale = newest === undefined ? await findFirstSaleDate(db) : undefined
  if (newest === undefined && firstSale === undefined) return { finalized: 0, alreadyFinalized: 0 }
  const first = newest === undefined ? monthIndex(firstSale!) : monthIndex(newest.month) + 1
  if (first > last) return { finalized: 0, alreadyFinalized: 1 }
  const since = lastDayOfMonth(first) - WINDOW_DAYS
  const facts = await findSetAttributes(db)
  const numbers = facts.map((set) => set.set_number)
  const saleStore = await readSales(db, 'set', numbers, since)
  const known = { facts, saleStore, minifigs: await loadMinifigSales(db, since) }
  let finalized = 0
  let alreadyFinalized = 0
  for (let month = first; month <= last; month++) {
    if (await finalizeMonth(db, month, known)) finalized++
    else alreadyFinalized++
  }
  return { finalized, alreadyFinalized }
}

/** The catalog and all sales that any of the months may need, loaded once. */
type FinalizationInputs = {
  facts: SetAttributesRow[]
  saleStore: SaleStore
  minifigs: Awaited<ReturnType<typeof loadMinifigSales>>
}

/**
 * Computes the month first and writes it in one short transaction, so that only one of two concurrent workers writes
 * it. Returns false if the month was already finalized.
 */
async function finalizeMonth(
  db: Database,
  month: number,
  { facts, saleStore, minifigs }: FinalizationInputs,
): Promise<boolean> {
  const name = `${formatMonth(month)}-01`
  const asOf = lastDayOfMonth(month)
  const knownOn = knowledgeCutoff(month)
  const released = facts.filter((set) => isReleased(set, asOf))
  const setsWithSales = released.map((set) => toSetWithSales(set, saleStore, asOf, knownOn))
  const before = await findLatestFit(db, name)
  const lessons = before?.lessons.sets ?? initialFit(setsWithSales, asOf)
  const growth = fitGrowthFromSets(setsWithSales, asOf)
  const valued = valueAllSets(
    released,
    setsWithSales,
    new SetValuer(lessons, growth),
    asOf,
    await findPreviousValues(db, before?.month),
  )
  const publishedEvents = new Map((await findPublishedEvents(db, name)).map((row) => [row.set_number, row.events]))
  const rows = released.flatMap((set, index) =>
    monthRows(set, valued[index]!, lessons, month, publishedEvents.get(set.set_number) ?? []),
  )
  const valuedMinifigs = valueMinifigs(minifigs, before?.lessons.minifigs, asOf, knownOn)
  return db.transaction().execute(async (transaction) => {
    if (!(await claimMonth(transaction, name, rows.length))) return false
    await insertMonth(
      transaction,
      name,
      rows,
      released.flatMap((set, index) => detailRows(set, valued[index]!)),
    )
    const fit = { sets: fitModel(valued, asOf), growth, minifigs: fitMinifigs(valuedMinifigs, asOf) }
    await saveFit(transaction, name, fit)
    return true
  })
}
