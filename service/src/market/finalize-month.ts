import type { Database } from '../db/database.ts'
import { findFirstSale, findMonthValuations, findSetFacts, findToldEvents } from '../db/read/item-facts.ts'
import { beginMonth, writeMonth, type MonthDetail, type MonthRow } from '../db/write/set-month.ts'
import { cents, usdText } from '../domain/money.ts'
import { lastDayOfMonth, monthIndex, monthText } from '../domain/month.ts'
import { CONDITIONS, type Condition } from '../domain/portfolio.ts'
import { eventIn, isThin, knownUntil, lastDueMonth, type SetEvent } from '../domain/set-month.ts'
import type { DataTier } from '../domain/valuation/estimate.ts'
import {
  acceptedBetween,
  Appraiser,
  firstLessons,
  growthOf,
  lessonsOf,
  type Lessons,
  type Published,
  type SoldSet,
  type ValuedSet,
} from '../domain/valuation/lessons.ts'
import { WINDOW_DAYS } from '../domain/valuation/usable-sales.ts'
import type { Engine } from './engine.ts'
import { findLessons, saveLessons } from './lesson-store.ts'
import { SaleBook } from './sale-book.ts'
import { isOut, soldSet, type CatalogFacts } from './set-sales.ts'
import { appraiseMinifigs, minifigLessons, readMinifigs } from './value-minifigs.ts'

/** Below this many effective sales a month's value is not shown. */
const LEAST_SALES = 1.5

/**
 * Freezes every month that is due and not frozen yet, the oldest first, each in one transaction. A month depends only on
 * what was known by its freezing day and on the months before it, so a late or repeated run writes the same rows.
 */
export async function finalizeDueMonths({ db, now }: Engine): Promise<{ finalized: number; already: number }> {
  const today = now().toISOString().slice(0, 10)
  const last = lastDueMonth(today)
  const newest = await db
    .selectFrom('market.finalized_month')
    .select('month')
    .orderBy('month', 'desc')
    .limit(1)
    .executeTakeFirst()
  const firstSale = newest === undefined ? await findFirstSale(db) : undefined
  if (newest === undefined && firstSale === undefined) return { finalized: 0, already: 0 }
  const first = newest === undefined ? monthIndex(firstSale!) : monthIndex(newest.month) + 1
  if (first > last) return { finalized: 0, already: 1 }
  const since = lastDayOfMonth(first) - WINDOW_DAYS
  const facts = await findSetFacts(db)
  const numbers = facts.map((set) => set.set_number)
  const book = await SaleBook.read(db, 'set', numbers, since)
  const known = { facts, book, minifigs: await readMinifigs(db, since) }
  let finalized = 0
  let already = 0
  for (let month = first; month <= last; month++) {
    if (await finalizeMonth(db, month, known)) finalized++
    else already++
  }
  return { finalized, already }
}

/** The catalog and all sales that any of the months may need, read once. */
type Known = { facts: CatalogFacts[]; book: SaleBook; minifigs: Awaited<ReturnType<typeof readMinifigs>> }

/** Computes first and writes then, in one short transaction: of two workers that compute a month, one writes it. */
async function finalizeMonth(db: Database, month: number, { facts, book, minifigs }: Known): Promise<boolean> {
  const name = `${monthText(month)}-01`
  const asOf = lastDayOfMonth(month)
  const knownOn = knownUntil(month)
  const out = facts.filter((set) => isOut(set, asOf))
  const sold = out.map((set) => soldSet(set, book, asOf, knownOn))
  const before = await findLessons(db, name)
  const lessons = before?.lessons.sets ?? firstLessons(sold, asOf)
  const growth = growthOf(sold, asOf)
  const valued = appraise(out, sold, new Appraiser(lessons, growth), asOf, await findPublished(db, before?.month))
  const told = new Map((await findToldEvents(db, name)).map((row) => [row.set_number, row.events]))
  const rows = out.flatMap((set, place) =>
    monthRows(set, valued[place]!, lessons, month, told.get(set.set_number) ?? []),
  )
  const valuedMinifigs = appraiseMinifigs(minifigs, before?.lessons.minifigs, asOf, knownOn)
  return db.transaction().execute(async (transaction) => {
    if (!(await beginMonth(transaction, name, rows.length))) return false
    await writeMonth(
      transaction,
      name,
      rows,
      out.flatMap((set, place) => details(set, valued[place]!)),
    )
    const learnt = { sets: lessonsOf(valued, asOf), growth, minifigs: minifigLessons(valuedMinifigs, asOf) }
    await saveLessons(transaction, name, learnt)
    return true
  })
}

type PublishedBySet = Map<string, Record<Condition, Published>>

/** What the month before published of each set. */
export async function findPublished(
  db: Database,
  month: string | undefined,
  numbers?: string[],
): Promise<PublishedBySet> {
  const published: PublishedBySet = new Map()
  if (month === undefined) return published
  for (const row of await findMonthValuations(db, month, numbers)) {
    const both = published.get(row.item_number) ?? { sealed: null, used: null }
    if (row.value_usd !== null) {
      both[row.condition as Condition] = { valueCents: cents(row.value_usd), tier: row.data_tier as DataTier }
    }
    published.set(row.item_number, both)
  }
  return published
}

function appraise(
  facts: CatalogFacts[],
  sold: SoldSet[],
  appraiser: Appraiser,
  asOf: number,
  published: PublishedBySet,
): ValuedSet[] {
  return sold.map((set, place) => {
    const previous = published.get(facts[place]!.set_number) ?? { sealed: null, used: null }
    return { ...set, valuation: appraiser.value(set, asOf, previous) }
  })
}

function monthRows(
  facts: CatalogFacts,
  { sales, valuation }: ValuedSet,
  { scales }: Lessons,
  month: number,
  told: string[],
): MonthRow[] {
  const dates = { releaseDate: facts.release_date, retireDate: facts.retire_date }
  const event = eventIn(month, dates, new Set(told as SetEvent[]))
  return CONDITIONS.map((condition) => {
    const { valueCents, lowCents, highCents, effectiveSales } = valuation[condition]
    const base = { number: facts.set_number, condition, event }
    const hidden = { range_low_usd: null, range_high_usd: null, sales_count: null }
    if (valueCents === null || effectiveSales < LEAST_SALES) return { ...base, value_usd: null, ...hidden }
    const first = lastDayOfMonth(month - 1) + 1
    const accepted = acceptedBetween(sales[condition], valueCents, scales[condition], first, lastDayOfMonth(month))
    if (isThin(accepted)) return { ...base, value_usd: usdText(valueCents), ...hidden }
    return {
      ...base,
      value_usd: usdText(valueCents),
      range_low_usd: usdText(lowCents!),
      range_high_usd: usdText(highCents!),
      sales_count: accepted.units,
    }
  })
}

function details(facts: CatalogFacts, { valuation }: ValuedSet): MonthDetail[] {
  return CONDITIONS.map((condition) => {
    const { valueCents, effectiveSales, sellers, acceptedUnits, tier } = valuation[condition]
    return {
      number: facts.set_number,
      condition,
      value_usd: valueCents === null ? null : usdText(valueCents),
      effective_sales: effectiveSales,
      sellers,
      accepted_units: acceptedUnits,
      data_tier: tier,
    }
  })
}
