import type { RouterContextProvider } from 'react-router'
import { readAs, writeAs, type Database } from '@brickmark/core/db/database'
import { findSellableLots } from '@brickmark/core/portfolio/sellable-lot-queries'
import { findImportedOrderLines } from '@brickmark/core/portfolio/ledger-sale-queries'
import { findSetsForImport } from '@brickmark/core/catalog/set-search-queries'
import { importSales } from '@brickmark/core/portfolio/ledger-sale-commands'
import { formatCsv } from '@brickmark/core/primitives/csv'
import { isCondition } from '@brickmark/core/catalog/condition'
import { parseEbayReport, stripBuyerColumns, type OrderLine } from '@brickmark/core/portfolio/sale-import/ebay-report'
import {
  collectBaseNumbers,
  planSaleImport,
  type PlannedSaleRow,
  type SaleImportOptions,
} from '@brickmark/core/portfolio/sale-import/plan'
import { decodeFile, parseRows } from '../../server/import/parse-file.ts'
import { today } from './edit-lots.ts'
import { cleanText } from './collection.ts'
import { getServices, requireUser } from './context.ts'

const MAX_LINES = 2000

/** A parsed report. `content` is the part that the preview form resubmits; it contains no buyer data. */
type Report = { lines: OrderLine[]; content: string }

/** Reads the report from a form: an uploaded file, pasted text, or the content resubmitted by a preview. */
export async function readReport(form: FormData): Promise<Report | string> {
  const file = form.get('file')
  const pasted = form.get('text')
  const bytes =
    file instanceof File && file.size > 0
      ? new Uint8Array(await file.arrayBuffer())
      : new TextEncoder().encode(typeof pasted === 'string' ? pasted : '')
  const text = decodeFile(bytes)
  if (text === undefined) return 'That is not a text file. Save it as CSV and try again.'
  if (text.trim() === '') return 'Choose a file, or paste its text.'
  const rows = parseRows(text)
  if (typeof rows === 'string') return rows
  const lines = parseEbayReport(rows)
  if (typeof lines === 'string') return lines
  if (lines.length === 0) return 'There are no orders in it.'
  if (lines.length > MAX_LINES) {
    return `It has more than ${MAX_LINES.toLocaleString('en-US')} orders. Export a shorter time and import the parts.`
  }
  return { lines, content: formatCsv(stripBuyerColumns(rows) ?? []) }
}

export function parseSaleImportOptions(form: FormData): SaleImportOptions {
  const from = cleanText(form.get('from'))
  const sets = [...form.keys()].flatMap((name): [number, string][] => {
    const row = /^set:(\d{1,7})$/.exec(name)?.[1]
    const number = cleanText(form.get(name))
    return row === undefined || number === '' ? [] : [[Number(row), number]]
  })
  return { from: isCondition(from) || from === 'none' ? from : 'sealed', sets: new Map(sets) }
}

type Context = Readonly<RouterContextProvider>

/** Plans the import without changing anything: one result per row. */
export function previewSales(
  context: Context,
  lines: OrderLine[],
  options: SaleImportOptions,
): Promise<PlannedSaleRow[]> {
  const { accountId } = requireUser(context)
  return readAs(getServices(context).db, accountId, async (tx) => {
    return planReport(tx, accountId, lines, options, await findSets(tx, lines, options))
  })
}

/** Records every ready sale, planned again inside the transaction; returns their number. */
export function importReadySales(context: Context, lines: OrderLine[], options: SaleImportOptions): Promise<number> {
  const { accountId } = requireUser(context)
  return writeAs(getServices(context).db, accountId, async (tx) => {
    const sets = await findSets(tx, lines, options)
    const numbers = sets.map(({ set_number }) => set_number)
    return importSales(tx, accountId, numbers, async () => {
      const rows = await planReport(tx, accountId, lines, options, sets)
      return rows.flatMap((row) => (row.state === 'ready' ? [row.sale] : []))
    })
  })
}

function findSets(tx: Database, lines: OrderLine[], options: SaleImportOptions) {
  return findSetsForImport(tx, { bases: collectBaseNumbers(lines, options), barcodes: [], titles: [] })
}

async function planReport(
  tx: Database,
  accountId: number,
  lines: OrderLine[],
  options: SaleImportOptions,
  sets: Awaited<ReturnType<typeof findSets>>,
): Promise<PlannedSaleRow[]> {
  const orders = [...new Set(lines.map(({ order }) => order))]
  const imported = await findImportedOrderLines(tx, accountId, 'ebay', orders)
  const alreadyImported = new Set(imported.map(({ order, line }) => JSON.stringify([order, line])))
  const numbers = sets.map(({ set_number }) => set_number)
  const lots = await findSellableLots(tx, accountId, numbers)
  return planSaleImport(
    lines,
    options,
    sets,
    lots,
    (order, line) => alreadyImported.has(JSON.stringify([order, line])),
    today(),
  )
}
