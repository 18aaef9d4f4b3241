import { createCatalogRowParser } from '../feeds/catalog-feed.ts'
import { FEED_COLUMNS } from '../feeds/feed-columns.ts'
import type { CatalogRow, ParsedRow } from '../feeds/feed-rows.ts'
import { RowValidator } from '../feeds/row-validator.ts'

const BATCH_ROWS = 1000

/** How many rows of each kind were built or rejected; complete once the last batch has been read. */
export type CatalogRowCounts = { sets: number; minifigs: number; contains: number; aliases: number; rejected: number }

export type CatalogOrigin = {
  source_id: string
  license_id: string
  /** The day of the data, 'YYYY-MM-DD'. */
  stated_on: string
  now?: Date
}

type Column = (typeof FEED_COLUMNS.catalog)[number]

/** Builds catalog rows by the rules of the catalog feed, and counts them. */
export class CatalogRowBuilder {
  readonly #origin: CatalogOrigin
  readonly #counts: CatalogRowCounts
  readonly #check = new RowValidator(FEED_COLUMNS.catalog)
  readonly #read: (validator: RowValidator) => CatalogRow | undefined

  constructor(origin: CatalogOrigin, counts: CatalogRowCounts) {
    this.#origin = origin
    this.#counts = counts
    this.#read = createCatalogRowParser(origin.now ?? new Date())
  }

  build(from: string, line: number, values: Partial<Record<Column, string>>): ParsedRow<CatalogRow> {
    const { source_id: source, license_id: license, stated_on } = this.#origin
    const all: Partial<Record<Column, string>> = { source, license, stated_on, ...values }
    this.#check.reset(FEED_COLUMNS.catalog.map((column) => all[column] ?? ''))
    const row = this.#read(this.#check)
    if (row === undefined || this.#check.errorMessage !== undefined) {
      return this.reject(from, line, this.#check.errorMessage ?? '', all)
    }
    if (row.record === 'set') this.#counts.sets++
    if (row.record === 'minifig') this.#counts.minifigs++
    if (row.record === 'contains') this.#counts.contains++
    if (row.record === 'alias') this.#counts.aliases++
    return { row_number: line, row }
  }

  reject(from: string, line: number, reason: string, values: object): ParsedRow<CatalogRow> {
    this.#counts.rejected++
    return { row_number: line, reason: `${from}: ${reason}`, raw: JSON.stringify(values) }
  }
}

/** Yields rows in batches, as `ingestRows` takes them. */
export async function* batched(rows: AsyncGenerator<ParsedRow<CatalogRow>>): AsyncGenerator<ParsedRow<CatalogRow>[]> {
  let batch: ParsedRow<CatalogRow>[] = []
  for await (const row of rows) {
    batch.push(row)
    if (batch.length < BATCH_ROWS) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Removes zero-width characters, which some names contain. */
export function withoutInvisible(name: string): string {
  return name.replaceAll(/\p{Cf}/gu, '')
}
