import type { Engine } from '../db/context.ts'
import type { Database } from '../db/database.ts'
import { lastDayOfMonth, monthIndex, monthText } from '../primitives/calendar.ts'
import { appraiseMinifigs, minifigLessons } from './minifig-valuation.ts'
import { saveLessons } from './model-fit-commands.ts'
import { findLessons } from './model-fit-queries.ts'
import { appraise, details, knownUntil, lastDueMonth, monthRows } from './month-finalization.ts'
import { readSales } from './sale-store-queries.ts'
import type { SaleBook } from './sale-store.ts'
import { beginMonth, writeMonth } from './set-month-commands.ts'
import { type CatalogFacts, isOut, soldSet } from './set-sales.ts'
import { findFirstSale, findPublished, findSetFacts, findToldEvents, readMinifigs } from './valuation-input-queries.ts'
import { Appraiser, firstLessons, growthOf, lessonsOf } from './valuation/model-fit.ts'
import { WINDOW_DAYS } from './valuation/usable-sales.ts'

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
  const book = await readSales(db, 'set', numbers, since)
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
