import type { Readable } from 'node:stream'
import { decompress } from './decompress.ts'
import { createCatalogRowParser } from './catalog-feed.ts'
import { RowValidator } from './row-validator.ts'
import { FEED_COLUMNS, parseHeader } from './feed-columns.ts'
import { splitCsvLine } from './feed-csv.ts'
import { type LineBlock, readLines } from './feed-lines.ts'
import { createNdjsonParser } from './feed-ndjson.ts'
import { FeedRejectedError } from './feed-rejected-error.ts'
import { createRetailRowParser } from './retail-feed.ts'
import { createReturnRowParser, createSaleRowParser } from './sales-feed.ts'
import { FieldError } from './field-parsers.ts'
import type { CatalogRow, FeedName, ParsedRow, RetailRow, SaleReturnRow, MarketSaleRow } from './feed-rows.ts'

export { FeedRejectedError } from './feed-rejected-error.ts'

/** Row type of each feed. */
export type FeedRow = { sales: MarketSaleRow; returns: SaleReturnRow; retail: RetailRow; catalog: CatalogRow }

export type FeedOptions = {
  /** Used in error messages. */
  fileName?: string
  /** Dates are validated relative to this instant. */
  now?: Date
  /** Receives the header line of a CSV file, which is needed to parse the `raw` text of a quarantined row again. */
  onHeader?: (line: string) => void
}

const BATCH_ROWS = 1000
/** Quarantined lines are kept verbatim; without this limit a batch of long lines would hold 64 MB. */
const BATCH_RAW_CHARACTERS = 1024 * 1024

const ROW_PARSERS: { [N in FeedName]: (now: Date) => (validator: RowValidator) => FeedRow[N] | undefined } = {
  sales: createSaleRowParser,
  returns: createReturnRowParser,
  retail: createRetailRowParser,
  catalog: createCatalogRowParser,
}

/**
 * Streams the rows of a feed file (CSV or NDJSON, optionally gzipped) in batches. A bad row carries its line number and
 * the reason; an unreadable file throws FeedRejectedError, possibly after some batches.
 */
export async function* parseFeed<N extends FeedName>(
  name: N,
  input: Readable,
  options: FeedOptions = {},
): AsyncGenerator<ParsedRow<FeedRow[N]>[]> {
  const parser = new FeedParser(name, options)
  try {
    for await (const block of readLines(decompress(input))) yield* parser.read(block)
    yield* parser.end()
  } catch (error) {
    if (!(error instanceof FeedRejectedError)) throw error
    throw new FeedRejectedError(`${options.fileName ?? `The ${name} file`} was rejected: ${error.message}.`)
  }
}

class FeedParser<N extends FeedName> {
  readonly #feed: N
  readonly #options: FeedOptions
  readonly #validator: RowValidator
  readonly #parseRow: (validator: RowValidator) => FeedRow[N] | undefined
  /** Undefined until the first non-blank line has determined the file format. */
  #splitLine: ((line: string) => string[] | FieldError) | undefined
  #isCsv = false
  #lineNumber = 0
  #batch: ParsedRow<FeedRow[N]>[] = []
  #rawCharacters = 0

  constructor(feed: N, options: FeedOptions) {
    this.#feed = feed
    this.#options = options
    this.#validator = new RowValidator(FEED_COLUMNS[feed])
    this.#parseRow = ROW_PARSERS[feed](options.now ?? new Date())
  }

  *read(block: LineBlock): Generator<ParsedRow<FeedRow[N]>[]> {
    for (let index = 0; index < block.lines.length; index++) {
      const line = block.lines[index] as string
      const lineError = block.errors.size === 0 ? undefined : block.errors.get(index)
      this.#lineNumber++
      if (lineError === undefined && (line === '' || line.trim() === '')) continue
      if (this.#splitLine === undefined && this.#detectFormat(line, lineError)) continue
      this.#parseLine(line, lineError ?? (block.endsWithNewline || !this.#isCsv ? undefined : TRUNCATED_LINE))
      if (this.#batch.length >= BATCH_ROWS || this.#rawCharacters >= BATCH_RAW_CHARACTERS) yield this.#takeBatch()
    }
  }

  *end(): Generator<ParsedRow<FeedRow[N]>[]> {
    if (this.#splitLine === undefined) throw new FeedRejectedError('it is empty')
    if (this.#batch.length > 0) yield this.#takeBatch()
  }

  /** Detects the format from the first line; returns true if that line is a CSV header. */
  #detectFormat(line: string, lineError: string | undefined): boolean {
    if (line.trimStart().startsWith('{')) {
      this.#splitLine = createNdjsonParser(this.#feed)
      return false
    }
    if (lineError !== undefined) throw new FeedRejectedError(notTextMessage(line, lineError))
    const header = splitCsvLine(line)
    if (header === undefined) throw new FeedRejectedError('the quoting in its header is invalid')
    this.#splitLine = createCsvSplitter(FEED_COLUMNS[this.#feed].length, parseHeader(this.#feed, header))
    this.#isCsv = true
    this.#options.onHeader?.(line)
    return true
  }

  #parseLine(line: string, lineError: string | undefined): void {
    const row_number = this.#lineNumber
    const fields = lineError === undefined ? this.#splitLine?.(line) : undefined
    if (fields === undefined || fields instanceof FieldError)
      return this.#quarantine(line, lineError ?? fields?.message ?? '')
    this.#validator.reset(fields)
    const row = this.#parseRow(this.#validator)
    const reason = this.#validator.errorMessage
    if (reason !== undefined || row === undefined) return this.#quarantine(line, reason ?? '')
    this.#batch.push({ row_number, row })
  }

  #quarantine(line: string, reason: string): void {
    // PostgreSQL can't store NUL, and the beginning of an overlong line is enough to find it.
    const kept = line.length > 65_536 ? line.slice(0, 1000).toWellFormed() : line
    const raw = kept.replaceAll('\0', '\ufffd')
    this.#rawCharacters += raw.length
    this.#batch.push({ row_number: this.#lineNumber, reason, raw })
  }

  #takeBatch(): ParsedRow<FeedRow[N]>[] {
    const batch = this.#batch
    this.#batch = []
    this.#rawCharacters = 0
    return batch
  }
}

/**
 * The last line of a CSV file is accepted only with its line break: 123.45 truncated to 12 is still a valid price, and
 * ingesting the complete file later wouldn't correct a published row. A truncated JSON object is detected anyway.
 */
const TRUNCATED_LINE = 'the last line has no line break, so the file may be truncated'

function createCsvSplitter(columns: number, columnOrder: number[]): (line: string) => string[] | FieldError {
  const blank = Array.from({ length: columns }, () => '')
  const inOrder = columnOrder.length === columns && columnOrder.every((position, index) => position === index)
  return (line) => {
    const values = splitCsvLine(line)
    if (values === undefined) return new FieldError('a quote (") is not closed, or is inside an unquoted field')
    if (values.length !== columnOrder.length) {
      return new FieldError(`the line has ${values.length} columns, the header ${columnOrder.length}`)
    }
    return inOrder ? values : reorderFields(values, columnOrder, blank)
  }
}

function reorderFields(values: string[], columnOrder: number[], blank: string[]): string[] {
  const fields = blank.slice()
  for (let index = 0; index < columnOrder.length; index++)
    fields[columnOrder[index] as number] = values[index] as string
  return fields
}

function notTextMessage(line: string, lineError: string): string {
  if (line.startsWith('PK')) return 'it is a zip or Excel file; save it as CSV in UTF-8, optionally gzipped'
  if (line.includes('\0')) return 'it is binary or UTF-16; save it as CSV in UTF-8'
  return `in its first line, ${lineError}`
}
