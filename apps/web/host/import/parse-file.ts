import { parse } from 'csv-parse/sync'
import { SaxesParser } from 'saxes'
import type { ImportTable } from '@brickmark/core/portfolio/lot-import/format'

const MAX_ROWS = 20_000
const MAX_COLUMNS = 200
const MAX_CELL_LENGTH = 10_000
/** BrickLink's files have three levels. */
const MAX_XML_DEPTH = 10
const TOO_MANY_ROWS = `Files can have up to ${MAX_ROWS.toLocaleString('en-US')} rows. Split the file and try again.`
const TOO_MANY_COLUMNS = `Files can have up to ${MAX_COLUMNS} columns. Remove the ones you don’t need.`
const TOO_LONG_CELL = `Cells can have up to ${MAX_CELL_LENGTH.toLocaleString('en-US')} characters. Shorten the longer ones.`

/** A file above one of the limits. The message is for the user. */
class FileLimitError extends Error {}

/** Decodes a text file (UTF-16 LE, UTF-8 or Windows-1252); undefined for binary content. */
export function decodeFile(bytes: Uint8Array): string | undefined {
  const utf16 = bytes[0] === 0xff && bytes[1] === 0xfe
  const text = utf16 ? new TextDecoder('utf-16le').decode(bytes) : decodeUtf8OrWindows1252(bytes)
  return text.includes('\0') ? undefined : text
}

/** Falls back to Windows-1252, the encoding of older Windows programs, if the bytes are not valid UTF-8. */
function decodeUtf8OrWindows1252(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Parses CSV or BrickLink XML into a table; returns an error message if that fails. */
export function parseTable(text: string): ImportTable | string {
  const table = text.trimStart().startsWith('<') ? parseXml(text) : parseCsv(text)
  if (typeof table === 'string') return table
  if (table.rows.length === 0) return 'This file has no rows.'
  return table.rows.length > MAX_ROWS ? TOO_MANY_ROWS : table
}

/** Parses CSV and returns the rows that are not empty, or an error message. */
export function parseRows(text: string): ImportTable['rows'] | string {
  const rows: ImportTable['rows'] = []
  try {
    parse(text, {
      bom: true,
      delimiter: delimiterOf(text),
      // Rows may be short and cells may contain stray quotes; rows are never dropped.
      relax_column_count: true,
      relax_quotes: true,
      // Count empty lines without creating records for them: a 5 MB file can have 5 million.
      skip_empty_lines: true,
      on_record: (cells: string[], { records, empty_lines }) => {
        rows.push({ row: records + empty_lines, cells })
        return null
      },
      // Abort at the first excess cell or row: header + MAX_ROWS + one more to detect the overflow.
      cast: (cell, { index }) => {
        if (index >= MAX_COLUMNS) throw new FileLimitError(TOO_MANY_COLUMNS)
        if (cell.length > MAX_CELL_LENGTH) throw new FileLimitError(TOO_LONG_CELL)
        return cell
      },
      to: MAX_ROWS + 2,
    })
  } catch (error) {
    if (error instanceof FileLimitError) return error.message
    const { lines } = error as { lines?: number }
    return `Couldn’t read this CSV. Check the quotation marks near line ${lines ?? 1}.`
  }
  // Check the row number, not the count: a report is written back row by row, including the empty rows in between.
  if ((rows.at(-1)?.row ?? 0) > MAX_ROWS + 1) return TOO_MANY_ROWS
  return rows.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
}

function parseCsv(text: string): ImportTable | string {
  const nonEmptyRows = parseRows(text)
  if (typeof nonEmptyRows === 'string') return nonEmptyRows
  const [first, ...rest] = nonEmptyRows
  if (!first) return 'This file is empty.'
  // A pasted list may start with a set number instead of a header.
  if (/^\d{3,}(-\d+)?$/.test(first.cells[0]?.trim() ?? '')) {
    return {
      header: first.cells.map((_, index) => (index === 0 ? 'Number' : `Column ${index + 1}`)),
      rows: nonEmptyRows,
    }
  }
  return { header: first.cells.map((name) => name.trim()), rows: rest }
}

/** Returns the most frequent of comma, semicolon and tab in the first line. */
function delimiterOf(text: string): string {
  const line = text.trimStart().split(/\r?\n/, 1)[0] ?? ''
  const count = (delimiter: string) => line.split(delimiter).length
  return [',', ';', '\t'].reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best))
}

/** Parses a BrickLink inventory, and stops at the first tag that exceeds a limit. */
function parseXml(text: string): ImportTable | string {
  try {
    const items = readItems(text)
    if (items.length === 0) return 'This XML isn’t a BrickLink inventory, or it has no items.'
    const header = [...new Set(items.flatMap((item) => [...item.keys()]))]
    return {
      header,
      rows: items.map((item, index) => ({ row: index + 1, cells: header.map((name) => item.get(name) ?? '') })),
    }
  } catch (error) {
    return error instanceof FileLimitError ? error.message : 'This isn’t valid XML.'
  }
}

/** Returns the text of each tag of each item. Tags are compared in upper case; tags inside of a tag are ignored. */
function readItems(text: string): Map<string, string>[] {
  const items: Map<string, string>[] = []
  const columns = new Set<string>()
  const path: string[] = []
  let cell: string | undefined
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  // DTD entities could read local files or expand without limit; BrickLink's files have no DTD.
  parser.on('doctype', () => {
    throw new FileLimitError('XML files with a DOCTYPE aren’t supported.')
  })
  parser.on('opentag', ({ name }) => {
    path.push(name.toUpperCase())
    if (path.length > MAX_XML_DEPTH) throw new FileLimitError('This XML isn’t a BrickLink inventory.')
    if (path[0] !== 'INVENTORY' || path[1] !== 'ITEM') return
    if (path.length === 2 && items.push(new Map()) > MAX_ROWS) throw new FileLimitError(TOO_MANY_ROWS)
    if (path.length !== 3) return
    cell = ''
    if (columns.add(path[2]!).size > MAX_COLUMNS) throw new FileLimitError(TOO_MANY_COLUMNS)
  })
  const addText = (part: string) => {
    if (path.length !== 3 || cell === undefined) return
    cell += part
    if (cell.length > MAX_CELL_LENGTH) throw new FileLimitError(TOO_LONG_CELL)
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => {
    if (path.length === 3 && cell !== undefined) items.at(-1)!.set(path[2]!, cell.trim())
    if (path.length === 3) cell = undefined
    path.pop()
  })
  parser.write(text).close()
  return items
}
