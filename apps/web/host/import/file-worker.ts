import { createHash } from 'node:crypto'
import { draftLookupKeys, planDraft, type PlannedDraft } from '@brickmark/core/portfolio/lot-import/draft'
import type { ImportTable } from '@brickmark/core/portfolio/lot-import/format'
import type { ImportOptions } from '@brickmark/core/portfolio/lot-import/plan'
import type { MatchableSet } from '@brickmark/core/portfolio/lot-import/set-matcher'
import { parseEbayReport, stripBuyerColumns, type OrderLine } from '@brickmark/core/portfolio/sale-import/ebay-report'
import { formatCsv } from '@brickmark/core/primitives/csv'
import { decodeFile, parseRows, parseTable } from './parse-file.ts'

/** The tasks of a worker thread: everything whose cost depends on the content of an uploaded file. */

const MAX_ORDERS = 2000

/** A file that was read; `content` is its table as JSON text, `fingerprint` the hash of its text. */
export type ReadFile = { content: string; fingerprint: string }

/** An eBay report. `content` is the part that the preview form resubmits; it contains no buyer data. */
export type SalesReport = { lines: OrderLine[]; content: string }

/** Reads a file with lots; returns a message for the user if it can't be read. */
export function readLots(bytes: Uint8Array): ReadFile | string {
  const text = readText(bytes)
  if (text.message !== undefined) return text.message
  const table = parseTable(text.text)
  if (typeof table === 'string') return table
  return { content: JSON.stringify(table), fingerprint: createHash('sha256').update(text.text).digest('hex') }
}

/** Reads an eBay report; returns a message for the user if it can't be read. */
export function readSales(bytes: Uint8Array): SalesReport | string {
  const text = readText(bytes)
  if (text.message !== undefined) return text.message
  const rows = parseRows(text.text)
  if (typeof rows === 'string') return rows
  const lines = parseEbayReport(rows)
  if (typeof lines === 'string') return lines
  if (lines.length === 0) return 'This report has no orders.'
  if (lines.length > MAX_ORDERS) {
    return `Reports can have up to ${MAX_ORDERS.toLocaleString('en-US')} orders. Export a shorter period and import it in parts.`
  }
  return { lines, content: formatCsv(stripBuyerColumns(rows) ?? []) }
}

export function lookupKeys({ content, options }: { content: string; options: ImportOptions }) {
  return draftLookupKeys(JSON.parse(content) as ImportTable, options)
}

export function plan(task: {
  content: string
  options: ImportOptions
  sets: MatchableSet[]
  today: string
}): PlannedDraft {
  return planDraft(JSON.parse(task.content) as ImportTable, task.options, task.sets, task.today)
}

function readText(bytes: Uint8Array): { text: string; message?: undefined } | { message: string } {
  const text = decodeFile(bytes)
  if (text === undefined) return { message: 'This file isn’t supported. Save it as CSV and try again.' }
  return text.trim() === '' ? { message: 'Choose a file or paste its contents.' } : { text }
}
