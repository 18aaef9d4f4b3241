import type { RouterContextProvider } from 'react-router'
import { readAs, writeAs, type Database } from '@brickmark/core/db/database'
import { findLotsToSell } from '@brickmark/core/portfolio/sellable-lot-queries'
import { findKnownOrderLines } from '@brickmark/core/portfolio/ledger-sale-queries'
import { findSetsForImport } from '@brickmark/core/catalog/set-search-queries'
import { importSales } from '@brickmark/core/portfolio/ledger-sale-commands'
import { writeCsv } from '@brickmark/core/primitives/csv'
import { isCondition } from '@brickmark/core/catalog/condition'
import { readEbayReport, withoutBuyers, type OrderLine } from '@brickmark/core/portfolio/sale-import/ebay-report'
import { basesOf, planSales, type PlannedSaleRow, type SaleAnswers } from '@brickmark/core/portfolio/sale-import/plan'
import { decodeFile, readRows } from '../../server/import/parse-file.ts'
import { today } from './edit-lots.ts'
import { plainText } from './collection.ts'
import { servicesOf, signedIn } from './context.ts'

const MAX_LINES = 2000

/** A report that can be read. `content` is what of it is sent again: no buyers. */
type Report = { lines: OrderLine[]; content: string }

/** The report in a form: a file, a pasted text, or what a preview sends again. */
export async function reportOf(form: FormData): Promise<Report | string> {
  const file = form.get('file')
  const pasted = form.get('text')
  const bytes =
    file instanceof File && file.size > 0
      ? new Uint8Array(await file.arrayBuffer())
      : new TextEncoder().encode(typeof pasted === 'string' ? pasted : '')
  const text = decodeFile(bytes)
  if (text === undefined) return 'That is not a text file. Save it as CSV and try again.'
  if (text.trim() === '') return 'Choose a file, or paste its text.'
  const rows = readRows(text)
  if (typeof rows === 'string') return rows
  const lines = readEbayReport(rows)
  if (typeof lines === 'string') return lines
  if (lines.length === 0) return 'There are no orders in it.'
  if (lines.length > MAX_LINES) {
    return `It has more than ${MAX_LINES.toLocaleString('en-US')} orders. Export a shorter time and import the parts.`
  }
  return { lines, content: writeCsv(withoutBuyers(rows) ?? []) }
}

export function saleAnswersOf(form: FormData): SaleAnswers {
  const from = plainText(form.get('from'))
  const sets = [...form.keys()].flatMap((name): [number, string][] => {
    const row = /^set:(\d{1,7})$/.exec(name)?.[1]
    const number = plainText(form.get(name))
    return row === undefined || number === '' ? [] : [[Number(row), number]]
  })
  return { from: isCondition(from) || from === 'none' ? from : 'sealed', sets: new Map(sets) }
}

type Context = Readonly<RouterContextProvider>

/** What an import would do, row by row. */
export function previewSales(context: Context, lines: OrderLine[], answers: SaleAnswers): Promise<PlannedSaleRow[]> {
  const { accountId } = signedIn(context)
  return readAs(servicesOf(context).db, accountId, async (as) => {
    return plan(as, accountId, lines, answers, await findSets(as, lines, answers))
  })
}

/** Adds every sale that is ready, by what is held and known at that moment; returns how many. */
export function addPlannedSales(context: Context, lines: OrderLine[], answers: SaleAnswers): Promise<number> {
  const { accountId } = signedIn(context)
  return writeAs(servicesOf(context).db, accountId, async (as) => {
    const sets = await findSets(as, lines, answers)
    const numbers = sets.map(({ set_number }) => set_number)
    return importSales(as, accountId, numbers, async () => {
      const rows = await plan(as, accountId, lines, answers, sets)
      return rows.flatMap((row) => (row.state === 'ready' ? [row.sale] : []))
    })
  })
}

function findSets(as: Database, lines: OrderLine[], answers: SaleAnswers) {
  return findSetsForImport(as, { bases: basesOf(lines, answers), barcodes: [], titles: [] })
}

async function plan(
  as: Database,
  accountId: number,
  lines: OrderLine[],
  answers: SaleAnswers,
  sets: Awaited<ReturnType<typeof findSets>>,
): Promise<PlannedSaleRow[]> {
  const orders = [...new Set(lines.map(({ order }) => order))]
  const imported = await findKnownOrderLines(as, accountId, 'ebay', orders)
  const known = new Set(imported.map(({ order, line }) => JSON.stringify([order, line])))
  const numbers = sets.map(({ set_number }) => set_number)
  const lots = await findLotsToSell(as, accountId, numbers)
  return planSales(lines, answers, sets, lots, (order, line) => known.has(JSON.stringify([order, line])), today())
}
