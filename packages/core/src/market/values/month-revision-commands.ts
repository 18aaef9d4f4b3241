import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { formatMonth, lastDayOfMonth, monthIndex } from '../../primitives/calendar.ts'
import { SetValuer } from '../valuation/model-fit.ts'
import { findFit, findLatestFit } from './model-fit-queries.ts'
import { detailRows, knowledgeCutoff, monthRows, type MonthDetail, type MonthRow } from './month-finalization.ts'
import { createBatchReader } from './sale-store-queries.ts'
import { updateMonth } from './set-month-commands.ts'
import { toSetWithSales } from './set-sales.ts'
import { findSetAttributes } from './valuation-input-queries.ts'

/**
 * Values some sets again in a finalized month ('YYYY-MM-01') with the sales that count today, and replaces what was
 * published. The fit of the month stays. Every change is logged with the reason. Returns how many values changed.
 */
export async function reviseMonth(db: Database, month: string, numbers: string[], reason: string): Promise<number> {
  const fit = await findFit(db, month)
  // Fits of an earlier kind of model can't value anything: unknown is null.
  const { rows, details } = fit === undefined ? blankRows(numbers) : await valueAgain(db, month, numbers, fit)
  return db.transaction().execute(async (transaction) => {
    await sql`select set_config('market.revision_reason', ${reason}, true)`.execute(transaction)
    return updateMonth(transaction, month, rows, details)
  })
}

async function valueAgain(
  db: Database,
  month: string,
  numbers: string[],
  own: NonNullable<Awaited<ReturnType<typeof findFit>>>,
): Promise<{ rows: MonthRow[]; details: MonthDetail[] }> {
  const index = monthIndex(month)
  const [asOf, knownOn] = [lastDayOfMonth(index), knowledgeCutoff(index)]
  // As when the month was finalized: ratios and widths of the month before, dynamics and growth of the month.
  const before = await findLatestFit(db, `${formatMonth(index - 1)}-01`)
  const setFit = { ...(before?.fit.sets ?? own.sets), dynamics: own.sets.dynamics }
  const valuer = new SetValuer(setFit, own.growth)
  const rows: MonthRow[] = []
  const details: MonthDetail[] = []
  const sets = await findSetAttributes(db, asOf, numbers)
  for await (const { items, store } of createBatchReader(db)('set', sets, (set) => set.set_number, asOf)) {
    for (const set of items) {
      const sold = toSetWithSales(set, store, asOf, knownOn)
      const valued = { ...sold, valuation: valuer.value(sold, asOf) }
      rows.push(...monthRows(set, valued, setFit, index, []))
      details.push(...detailRows(set, valued))
    }
  }
  return { rows, details }
}

function blankRows(numbers: string[]): { rows: MonthRow[]; details: MonthDetail[] } {
  const rows = numbers.flatMap((number) =>
    (['sealed', 'used'] as const).map((condition) => ({
      number,
      condition,
      value_cents: null,
      range_low_cents: null,
      range_high_cents: null,
      sales_count: null,
      event: null,
    })),
  )
  return { rows, details: [] }
}
