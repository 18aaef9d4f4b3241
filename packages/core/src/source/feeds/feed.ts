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

/** What each feed yields. */
export type FeedRow = { sales: MarketSaleRow; returns: SaleReturnRow; retail: RetailRow; catalog: CatalogRow }

export type FeedOptions = {
  /** Named in the sentence of a refusal. */
  fileName?: string
  /** Dates are judged as of this instant. */
  now?: Date
  /** Told the header line of a CSV file: together with the `raw` of a quarantined row it can be parsed again. */
  onHeader?: (line: string) => void
}

const BATCH_ROWS = 1000
/** Quarantined lines are kept as they came; without this a batch of long ones would hold 64 MB. */
const BATCH_RAW_CHARACTERS = 1024 * 1024

const ROW_PARSERS: { [N in FeedName]: (now: Date) => (check: RowValidator) => FeedRow[N] | undefined } = {
  sales: createSaleRowParser,
  returns: createReturnRowParser,
  retail: createRetailRowParser,
  catalog: createCatalogRowParser,
}

/**
 * The rows of a feed file in batches: CSV or NDJSON, gzip or not, read as a stream. A bad row comes with its line number
 * in the file and a reason; a file that cannot be read at all throws FeedRefused, possibly after some batches.
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
    throw new FeedRejectedError(`${options.fileName ?? `The ${name} file`} is refused: ${error.message}.`)
  }
}

class FeedParser<N extends FeedName> {
  readonly #feed: N
  readonly #options: FeedOptions
  readonly #validator: RowValidator
  readonly #parseRow: (check: RowValidator) => FeedRow[N] | undefined
  /** Undefined until the first line with something on it has shown what kind of file this is. */
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

  /** Learns from the first line what the file is; true when that line is a header and no row. */
  #detectFormat(line: string, lineError: string | undefined): boolean {
    if (line.trimStart().startsWith('{')) {
      this.#splitLine = createNdjsonParser(this.#feed)
      return false
    }
    if (lineError !== undefined) throw new FeedRejectedError(notTextMessage(line, lineError))
    const header = splitCsvLine(line)
    if (header === undefined) throw new FeedRejectedError('the quotes in its header are wrong')
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
    // PostgreSQL stores no NUL, and of a line over the limit only the beginning helps to find it.
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
 * A price cut from 123.45 to 12 is still a price, and a row once published is not changed by sending the file again: so
 * the last line of a CSV file counts only with its line break. A JSON object shows by itself whether it is whole.
 */
const TRUNCATED_LINE = 'the last line has no line break: the file may have been cut off there'

function createCsvSplitter(columns: number, places: number[]): (line: string) => string[] | FieldError {
  const blank = Array.from({ length: columns }, () => '')
  const inOrder = places.length === columns && places.every((position, index) => position === index)
  return (line) => {
    const values = splitCsvLine(line)
    if (values === undefined)
      return new FieldError('a quote (") is not closed, or stands inside a field without quotes')
    if (values.length !== places.length) {
      return new FieldError(`the line has ${values.length} columns, the header ${places.length}`)
    }
    return inOrder ? values : reorderFields(values, places, blank)
  }
}

function reorderFields(values: string[], places: number[], blank: string[]): string[] {
  const fields = blank.slice()
  for (let index = 0; index < places.length; index++) fields[places[index] as number] = values[index] as string
  return fields
}

function notTextMessage(line: string, lineError: string): string {
  if (line.startsWith('PK')) return 'it is a zip or Excel file: save it as CSV in UTF-8, packed with gzip or not at all'
  if (line.includes('\0')) return 'it is binary or UTF-16: save it as CSV in UTF-8'
  return `in its first line, ${lineError}`
}
