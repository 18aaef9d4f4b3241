import { parse } from 'csv-parse/sync'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import type { ImportTable } from '@brickmark/core/portfolio/lot-import/format'

const MAX_ROWS = 20_000
const MAX_COLUMNS = 200
const TOO_MANY_ROWS = `It has more than ${MAX_ROWS.toLocaleString('en-US')} rows. Split it into parts.`
const TOO_MANY_COLUMNS = `It has more than ${MAX_COLUMNS} columns. Take out those that are not needed.`

/** A file's text, whatever program wrote it; undefined when it is no text. */
export function decodeFile(bytes: Uint8Array): string | undefined {
  const utf16 = bytes[0] === 0xff && bytes[1] === 0xfe
  const text = utf16 ? new TextDecoder('utf-16le').decode(bytes) : decodeUtf8OrWindows1252(bytes)
  return text.includes('\0') ? undefined : text
}

/** UTF-8, or what older Windows programs write. */
function decodeUtf8OrWindows1252(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** The table in a text of CSV or BrickLink XML, or a sentence that says why there is none. */
export function parseTable(text: string): ImportTable | string {
  const table = text.trimStart().startsWith('<') ? parseXml(text) : parseCsv(text)
  if (typeof table === 'string') return table
  if (table.rows.length === 0) return 'There are no rows in it.'
  return table.rows.length > MAX_ROWS ? TOO_MANY_ROWS : table
}

/** The lines of a CSV text that are not empty, or a sentence that says why they cannot be read. */
export function parseRows(text: string): ImportTable['rows'] | string {
  const rows: ImportTable['rows'] = []
  try {
    parse(text, {
      bom: true,
      delimiter: delimiterOf(text),
      // Columns may be missing at the end of a line, and a quote may stand inside a cell; a line is never dropped.
      relax_column_count: true,
      relax_quotes: true,
      // Lines without a character are counted and not made: 5 MB could be as many of them.
      skip_empty_lines: true,
      on_record: (cells: string[], { records, empty_lines }) => {
        rows.push({ row: records + empty_lines, cells })
        return null
      },
      // The parser ends at the first cell and the first row too many: the header and the rows, and one to know by.
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
  // By its number: a report is written anew row for row, with the empty ones before the last.
  if ((rows.at(-1)?.row ?? 0) > MAX_ROWS + 1) return TOO_MANY_ROWS
  return rows.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
}

function parseCsv(text: string): ImportTable | string {
  const nonEmptyRows = parseRows(text)
  if (typeof nonEmptyRows === 'string') return nonEmptyRows
  const [first, ...rest] = nonEmptyRows
  if (!first) return 'It is empty.'
  // A pasted list may begin with a set instead of a header.
  if (/^\d{3,}(-\d+)?$/.test(first.cells[0]?.trim() ?? '')) {
    return {
      header: first.cells.map((_, index) => (index === 0 ? 'Number' : `Column ${index + 1}`)),
      rows: nonEmptyRows,
    }
  }
  return { header: first.cells.map((name) => name.trim()), rows: rest }
}

/** Whichever of comma, semicolon and tab the first line has most of. */
function delimiterOf(text: string): string {
  const line = text.trimStart().split(/\r?\n/, 1)[0] ?? ''
  const count = (delimiter: string) => line.split(delimiter).length
  return [',', ';', '\t'].reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best))
}

function parseXml(text: string): ImportTable | string {
  // Entities of a document type could read files or grow without end; BrickLink's files have none.
  if (/<!(doctype|entity)/i.test(text)) return 'XML with a document type is not taken.'
  if ((text.match(/<item[\s/>]/gi)?.length ?? 0) > MAX_ROWS) return TOO_MANY_ROWS
  if (XMLValidator.validate(text) !== true) return 'It is not well-formed XML.'
  const items = parseItems(text)
  if (items.length === 0) return 'It is XML, but not an inventory of BrickLink with items.'
  // Every item gets a cell for every tag of any item.
  const header = [...new Set(items.flatMap((item) => Object.keys(item)))]
  if (header.length > MAX_COLUMNS) return TOO_MANY_COLUMNS
  const rows = items.map((item, index) => ({
    row: index + 1,
    cells: header.map((name) => textOf(item[name])),
  }))
  return { header, rows }
}

/** The items of an inventory; none when it is something else, also something nested deeper than the parser goes. */
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
