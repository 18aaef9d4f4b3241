import { parse } from 'csv-parse/sync'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import type { ImportTable } from '@brickmark/core/portfolio/lot-import/format'

const MAX_ROWS = 20_000
const MAX_COLUMNS = 200
const TOO_MANY_ROWS = `It has more than ${MAX_ROWS.toLocaleString('en-US')} rows. Split it into parts.`
const TOO_MANY_COLUMNS = `It has more than ${MAX_COLUMNS} columns. Take out those that are not needed.`

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
  if (table.rows.length === 0) return 'There are no rows in it.'
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
        if (index >= MAX_COLUMNS) throw new RangeError(TOO_MANY_COLUMNS)
        return cell
      },
      to: MAX_ROWS + 2,
    })
  } catch (error) {
    if (error instanceof RangeError) return error.message
    const { lines } = error as { lines?: number }
    return `It cannot be read as CSV: look at the quotes near line ${lines ?? 1}.`
  }
  // Check the row number, not the count: a report is written back row by row, including the empty rows in between.
  if ((rows.at(-1)?.row ?? 0) > MAX_ROWS + 1) return TOO_MANY_ROWS
  return rows.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
}

function parseCsv(text: string): ImportTable | string {
  const nonEmptyRows = parseRows(text)
  if (typeof nonEmptyRows === 'string') return nonEmptyRows
  const [first, ...rest] = nonEmptyRows
  if (!first) return 'It is empty.'
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

function parseXml(text: string): ImportTable | string {
  // DTD entities could read local files or expand without limit; BrickLink's files have no DTD.
  if (/<!(doctype|entity)/i.test(text)) return 'XML with a document type is not taken.'
  if ((text.match(/<item[\s/>]/gi)?.length ?? 0) > MAX_ROWS) return TOO_MANY_ROWS
  if (XMLValidator.validate(text) !== true) return 'It is not well-formed XML.'
  const items = parseItems(text)
  if (items.length === 0) return 'It is XML, but not an inventory of BrickLink with items.'
  // The columns are the union of the tags of all items.
  const header = [...new Set(items.flatMap((item) => Object.keys(item)))]
  if (header.length > MAX_COLUMNS) return TOO_MANY_COLUMNS
  const rows = items.map((item, index) => ({
    row: index + 1,
    cells: header.map((name) => textOf(item[name])),
  }))
  return { header, rows }
}

/** Returns the items of a BrickLink inventory, or [] for other XML and for XML nested too deeply for the parser. */
function parseItems(text: string): Record<string, unknown>[] {
  const parser = new XMLParser({
    ignoreAttributes: true,
    parseTagValue: false,
    transformTagName: (name) => name.toUpperCase(),
    isArray: (name) => name === 'ITEM',
  })
  try {
    const { INVENTORY: inventory } = parser.parse(text) as { INVENTORY?: { ITEM?: unknown[] } }
    return (inventory?.ITEM ?? []).filter((item) => typeof item === 'object' && item !== null) as Record<
      string,
      unknown
    >[]
  } catch {
    return []
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
