import { sql } from 'kysely'
import type { MarketContext } from '../../db/context.ts'
import type { Database } from '../../db/database.ts'
import { lastDayOfMonth, monthIndex, formatMonth } from '../../primitives/calendar.ts'
import { deleteIndexFrom, extendBrickIndex } from '../index/brick-index-commands.ts'
import { loadMarketSample } from './market-sample-queries.ts'
import { valueMinifigs, MinifigFitter, type MinifigFit } from './minifig-valuation.ts'
import { saveFit } from './model-fit-commands.ts'
import { findLatestFit } from './model-fit-queries.ts'
import {
  detailRows,
  knowledgeCutoff,
  latestFinalizableMonth,
  monthRows,
  type MonthDetail,
  type MonthRow,
} from './month-finalization.ts'
import { createBatchReader, createMemoryReader, type SaleReader } from './sale-store-queries.ts'
import { hasMoreSalesThan } from '../../source/market-sale-queries.ts'
import { claimMonth, clearOtherSets, insertMonth, updateMonth } from './set-month-commands.ts'
import { hasMarket, toSetWithSales } from './set-sales.ts'
import {
  findFirstSaleDate,
  findMinifigAttributes,
  findSetAttributes,
  findPublishedEvents,
} from './valuation-input-queries.ts'
import type { MarketGrowth } from '../valuation/growth.ts'
import { RatioFitter, SetValuer, WidthFitter, type MarketFit, type ModelFit } from '../valuation/model-fit.ts'

/** The widths of ranges show in this many sets. Each is valued on six more days, so this decides how long a month takes. */
const WIDTH_SAMPLE_SETS = 250

/** Up to this many sales (20 MB) are read once for all months. */
const MAX_SALES_IN_MEMORY = 500_000

/**
 * Finalizes every due month that isn't finalized yet, oldest first, each in its own transaction. A month depends only
 * on the data known at its cutoff and on earlier months, so a late or repeated run writes the same rows. If there are many
 * sales, they are read in batches, again for each month, so that memory doesn't grow with their number.
 */
export async function finalizeDueMonths(
  { db, now }: MarketContext,
  { maxSalesInMemory = MAX_SALES_IN_MEMORY } = {},
): Promise<{ finalized: number; alreadyFinalized: number }> {
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
  const readSales = (await hasMoreSalesThan(db, maxSalesInMemory))
    ? createBatchReader(db)
    : await createMemoryReader(db, { first: lastDayOfMonth(first), last: lastDayOfMonth(last) })
  let finalized = 0
  let alreadyFinalized = 0
  for (let month = first; month <= last; month++) {
    if (await finalizeMonth(db, readSales, month)) finalized++
    else alreadyFinalized++
  }
  return { finalized, alreadyFinalized }
}

/**
 * Computes the month first and writes it in one short transaction, so that only one of two concurrent workers writes
 * it. Returns false if the month was already finalized.
 */
async function finalizeMonth(db: Database, readSales: SaleReader, month: number): Promise<boolean> {
  const name = nameOf(month)
  const { rows, details, fit } = await computeMonth(db, readSales, month)
  return db.transaction().execute(async (transaction) => {
    if (!(await claimMonth(transaction, name, rows.length))) return false
    await insertMonth(transaction, name, rows, details)
    await saveFit(transaction, name, fit)
    await extendBrickIndex(transaction, name)
    return true
  })
}

/**
 * Computes a finalized month ('YYYY-MM-01') again as if it were finalized now, its fit included, and replaces what was
 * published. Every change is logged with the reason. Months after it must follow, because they depend on it. Returns how many
 * values changed.
 */
export async function refinalizeMonth(db: Database, name: string, reason: string): Promise<number> {
  const { rows, details, fit } = await computeMonth(db, createBatchReader(db), monthIndex(name))
  return db.transaction().execute(async (transaction) => {
    await sql`select set_config('market.revision_reason', ${reason}, true)`.execute(transaction)
    const changed = await updateMonth(transaction, name, rows, details)
    const cleared = await clearOtherSets(transaction, name, rows)
    await saveFit(transaction, name, fit)
    await deleteIndexFrom(transaction, name)
    await extendBrickIndex(transaction, name)
    return changed + cleared
  })
}

function nameOf(month: number): string {
  return `${formatMonth(month)}-01`
}

async function computeMonth(
  db: Database,
  readSales: SaleReader,
  month: number,
): Promise<{ rows: MonthRow[]; details: MonthDetail[]; fit: MarketFit }> {
  const day = { asOf: lastDayOfMonth(month), knownOn: knowledgeCutoff(month) }
  const before = await findLatestFit(db, nameOf(month - 1))
  const { sample } = await loadMarketSample(db, readSales, day)
  const growth = sample.fitGrowth()
  const setFit = { ...(before?.fit.sets ?? sample.fitInitialModel()), dynamics: sample.fitDynamics() }
  const { rows, details, fit } = await valueMonth(db, readSales, month, day, setFit, growth)
  const minifigs = await fitMinifigMonth(db, readSales, day, before?.fit.minifigs)
  return { rows, details, fit: { sets: fit, growth, minifigs } }
}

/** Values all sets in a month, batch by batch, and fits the next month's model to the values. */
async function valueMonth(
  db: Database,
  readSales: SaleReader,
  month: number,
  { asOf, knownOn }: ValuationDay,
  setFit: ModelFit,
  growth: MarketGrowth,
): Promise<{ rows: MonthRow[]; details: MonthDetail[]; fit: ModelFit }> {
  const publishedEvents = new Map(
    (await findPublishedEvents(db, nameOf(month))).map((row) => [row.set_number, row.events]),
  )
  const sets = await findSetAttributes(db, asOf)
  const valuer = new SetValuer(setFit, growth)
  const ratios = new RatioFitter(asOf)
  const widths = new WidthFitter(valuer)
  const everyNth = Math.ceil(sets.length / WIDTH_SAMPLE_SETS)
  let valuedSets = 0
  const rows: MonthRow[] = []
  const details: MonthDetail[] = []
  for await (const { items, store } of readSales('set', sets, (set) => set.set_number, asOf)) {
    for (const set of items) {
      const sold = toSetWithSales(set, store, asOf, knownOn)
      if (!hasMarket(set, sold, asOf)) continue
      const valued = { ...sold, valuation: valuer.value(sold, asOf) }
      ratios.add(sold)
      if (valuedSets++ % everyNth === 0) widths.add(sold, asOf)
      rows.push(...monthRows(set, valued, setFit, month, publishedEvents.get(set.set_number) ?? []))
      details.push(...detailRows(set, valued))
    }
  }
  return { rows, details, fit: { ...ratios.fit(), dynamics: setFit.dynamics, widths: widths.fit() } }
}

/** Values all minifigs on a day, batch by batch, and fits their model to the values. */
async function fitMinifigMonth(
  db: Database,
  readSales: SaleReader,
  { asOf, knownOn }: ValuationDay,
  before: MinifigFit | undefined,
): Promise<MinifigFit> {
  const fitter = new MinifigFitter(asOf)
  const minifigs = await findMinifigAttributes(db)
  for await (const { items, store } of readSales('minifig', minifigs, (minifig) => minifig.minifig_number, asOf)) {
    for (const valued of valueMinifigs({ attributes: items, store }, before, asOf, knownOn)) fitter.add(valued)
  }
  return fitter.fit()
}

/** The day of a value, and the last day on which its data became known. */
type ValuationDay = { asOf: number; knownOn: number }
