import type { RouterContextProvider } from 'react-router'
import { readAs, writeAs, type Database } from '@brickmark/core/db/database'
import { describeExceededLimit } from '@brickmark/core/portfolio/account-limit-queries'
import { findSellableLots } from '@brickmark/core/portfolio/sellable-lot-queries'
import { findImportedOrderLines } from '@brickmark/core/portfolio/sale-queries'
import { findSetsForImport } from '@brickmark/core/catalog/set-search-queries'
import { importSales } from '@brickmark/core/portfolio/sale-commands'
import { isCondition } from '@brickmark/core/catalog/condition'
import type { OrderLine } from '@brickmark/core/portfolio/sale-import/ebay-report'
import {
  collectBaseNumbers,
  planSaleImport,
  type PlannedSaleRow,
  type SaleImportOptions,
} from '@brickmark/core/portfolio/sale-import/plan'
import type { SalesReport } from '../../host/import/file-worker.ts'
import { today } from '../request/today.server.ts'
import { cleanText } from '../request/input.server.ts'
import { getServices, requireUser } from '../request/context.server.ts'
import { ImportError, processFile, readUpload, takeImportPoints } from '../import/import.server.ts'

type Context = Readonly<RouterContextProvider>

/** The preview sends the report again with every answer. */
const REPORT_POINTS = 5

/** Reads the report from a form: an uploaded file, pasted text, or the content resubmitted by a preview. */
export async function readReport(context: Context, form: FormData): Promise<SalesReport> {
  await takeImportPoints(context, REPORT_POINTS)
  const { bytes } = await readUpload(form)
  const report = await processFile(context, 'readSales', bytes)
  if (typeof report === 'string') throw new ImportError(report, 400)
  return report
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
      const exceeded = await describeExceededLimit(tx, accountId, 'sales', rows.length)
      if (exceeded !== undefined) throw new ImportError(exceeded, 400)
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
