import type { Readable } from 'node:stream'
import { unpackedBytes } from './decompress.ts'
import { catalogReader } from './catalog-feed.ts'
import { RowCheck } from './row-validator.ts'
import { FEED_COLUMNS, readHeader } from './feed-columns.ts'
import { splitCsvLine } from './feed-csv.ts'
import { type LineBlock, readLines } from './feed-lines.ts'
import { ndjsonReader } from './feed-ndjson.ts'
import { FeedRefused } from './feed-rejected-error.ts'
import { retailReader } from './retail-feed.ts'
import { returnReader, saleReader } from './sales-feed.ts'
import { Fault } from './field-parsers.ts'
import type { CatalogRow, FeedName, ParsedRow, RetailRow, ReturnRow, SaleRow } from './feed-rows.ts'

export { FeedRefused } from './feed-rejected-error.ts'

/** What each feed yields. */
export type FeedRow = { sales: SaleRow; returns: ReturnRow; retail: RetailRow; catalog: CatalogRow }

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

const READERS: { [N in FeedName]: (now: Date) => (check: RowCheck) => FeedRow[N] | undefined } = {
  sales: saleReader,
  returns: returnReader,
  retail: retailReader,
  catalog: catalogReader,
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
    for await (const block of readLines(unpackedBytes(input))) yield* parser.read(block)
    yield* parser.end()
  } catch (error) {
    if (!(error instanceof FeedRefused)) throw error
    throw new FeedRefused(`${options.fileName ?? `The ${name} file`} is refused: ${error.message}.`)
  }
}

class FeedParser<N extends FeedName> {
  readonly #feed: N
  readonly #options: FeedOptions
  readonly #check: RowCheck
  readonly #readRow: (check: RowCheck) => FeedRow[N] | undefined
  /** Undefined until the first line with something on it has shown what kind of file this is. */
  #readLine: ((line: string) => string[] | Fault) | undefined
  #isCsv = false
  #lineNumber = 0
  #batch: ParsedRow<FeedRow[N]>[] = []
  #rawCharacters = 0

  constructor(feed: N, options: FeedOptions) {
    this.#feed = feed
    this.#options = options
    this.#check = new RowCheck(FEED_COLUMNS[feed])
    this.#readRow = READERS[feed](options.now ?? new Date())
  }

  *read(block: LineBlock): Generator<ParsedRow<FeedRow[N]>[]> {
    for (let index = 0; index < block.lines.length; index++) {
      const line = block.lines[index] as string
      const fault = block.faults.size === 0 ? undefined : block.faults.get(index)
      this.#lineNumber++
      if (fault === undefined && (line === '' || line.trim() === '')) continue
      if (this.#readLine === undefined && this.#begin(line, fault)) continue
      this.#add(line, fault ?? (block.ended || !this.#isCsv ? undefined : CUT_OFF))
      if (this.#batch.length >= BATCH_ROWS || this.#rawCharacters >= BATCH_RAW_CHARACTERS) yield this.#takeBatch()
    }
  }

  *end(): Generator<ParsedRow<FeedRow[N]>[]> {
    if (this.#readLine === undefined) throw new FeedRefused('it is empty')
    if (this.#batch.length > 0) yield this.#takeBatch()
  }

  /** Learns from the first line what the file is; true when that line is a header and no row. */
  #begin(line: string, fault: string | undefined): boolean {
    if (line.trimStart().startsWith('{')) {
      this.#readLine = ndjsonReader(this.#feed)
      return false
    }
    if (fault !== undefined) throw new FeedRefused(notText(line, fault))
    const header = splitCsvLine(line)
    if (header === undefined) throw new FeedRefused('the quotes in its header are wrong')
    this.#readLine = csvReader(FEED_COLUMNS[this.#feed].length, readHeader(this.#feed, header))
    this.#isCsv = true
    this.#options.onHeader?.(line)
    return true
  }

  #add(line: string, fault: string | undefined): void {
    const row_number = this.#lineNumber
    const fields = fault === undefined ? this.#readLine?.(line) : undefined
    if (fields === undefined || fields instanceof Fault) return this.#quarantine(line, fault ?? fields?.sentence ?? '')
    this.#check.begin(fields)
    const row = this.#readRow(this.#check)
    const reason = this.#check.reason
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
const CUT_OFF = 'the last line has no line break: the file may have been cut off there'

function csvReader(columns: number, places: number[]): (line: string) => string[] | Fault {
  const blank = Array.from({ length: columns }, () => '')
  const inOrder = places.length === columns && places.every((place, index) => place === index)
  return (line) => {
    const values = splitCsvLine(line)
    if (values === undefined) return new Fault('a quote (") is not closed, or stands inside a field without quotes')
    if (values.length !== places.length) {
      return new Fault(`the line has ${values.length} columns, the header ${places.length}`)
    }
    return inOrder ? values : placed(values, places, blank)
  }
}

function placed(values: string[], places: number[], blank: string[]): string[] {
  const fields = blank.slice()
  for (let index = 0; index < places.length; index++) fields[places[index] as number] = values[index] as string
  return fields
}

function notText(line: string, fault: string): string {
  if (line.startsWith('PK')) return 'it is a zip or Excel file: save it as CSV in UTF-8, packed with gzip or not at all'
  if (line.includes('\0')) return 'it is binary or UTF-16: save it as CSV in UTF-8'
  return `in its first line, ${fault}`
}
