import type { RowValidator } from './row-validator.ts'
import { FEED_COLUMNS, columnIndexes } from './feed-columns.ts'
import { dimension, usdToCents } from './feed-money.ts'
import {
  asin,
  barcode,
  isoDate,
  addDays,
  httpsUrl,
  id,
  itemNumber,
  oneOf,
  printableText,
  type FieldParser,
  integer,
} from './field-parsers.ts'
import type { CatalogRow } from './feed-rows.ts'

const COLUMN = columnIndexes(FEED_COLUMNS.catalog)
type Column = keyof typeof COLUMN
type RecordKind = CatalogRow['record']
type Provenance = { source_id: string; license_id: string; stated_on: string | null }

const EARLIEST = '1930-01-01'
const TEN_YEARS = 3653

const record = oneOf(['set', 'minifig', 'alias', 'contains', 'product'])
const retailer = oneOf(['retailer_a', 'retailer_b'])
const title = printableText(300)
const pieces = integer(0, 100_000)
const quantity = integer(1, 10_000)
const upc = barcode(12)
const ean = barcode(13)

/** The columns of each record kind. A value in any other column is an error, because it would be dropped silently. */
const RECORD_COLUMNS: Record<RecordKind, readonly Column[]> = {
  // prettier-ignore
  set: [
    'set_number', 'title', 'theme', 'subtheme', 'pieces', 'msrp_usd', 'release_year', 'release_date', 'retire_date', 'asin', 'upc', 'ean',
    'image_url', 'box_width_in', 'box_height_in', 'box_depth_in', 'box_weight_lbs',
  ],
  minifig: ['minifig_number', 'name', 'category', 'color', 'year_released', 'image_url'],
  alias: ['minifig_number', 'alias'],
  contains: ['set_number', 'minifig_number', 'quantity'],
  product: ['set_number', 'retailer', 'product_id', 'product_url'],
}
const ORIGIN: readonly Column[] = ['source', 'license', 'record', 'stated_on']
const FOREIGN_COLUMNS = Object.fromEntries(
  Object.entries(RECORD_COLUMNS).map(([record, own]) => [
    record,
    FEED_COLUMNS.catalog.filter((column) => !own.includes(column) && !ORIGIN.includes(column)),
  ]),
) as Record<RecordKind, Column[]>

/**
 * Creates a parser for catalog rows; dates are validated relative to `now`. It returns undefined only if the record
 * kind is invalid, which is added to the row's errors.
 */
export function createCatalogRowParser(now: Date): (validator: RowValidator) => CatalogRow | undefined {
  // A future date is an announced release or retirement.
  const date = isoDate(EARLIEST, addDays(now, TEN_YEARS))
  const statedOn = isoDate(EARLIEST, addDays(now, 1))
  const year = integer(Number(EARLIEST.slice(0, 4)), now.getUTCFullYear() + 2)
  const readers: Record<RecordKind, (validator: RowValidator, provenance: Provenance) => CatalogRow> = {
    set: (check, origin) => parseSet(check, origin, date, year),
    minifig: (check, origin) => parseMinifig(check, origin, year),
    alias: parseAlias,
    contains: parseContains,
    product: parseProduct,
  }
  return (check) => {
    const source_id = check.required(COLUMN.source, id)
    const license_id = check.required(COLUMN.license, id)
    const stated_on = check.optional(COLUMN.stated_on, statedOn)
    const kind = check.required(COLUMN.record, record)
    if (kind === undefined) return undefined
    for (const column of FOREIGN_COLUMNS[kind]) {
      if (!check.isBlank(COLUMN[column])) check.addError(COLUMN[column], `does not belong to a ${kind} record`)
    }
    return readers[kind](check, { source_id, license_id, stated_on })
  }
}

function parseSet(
  validator: RowValidator,
  provenance: Provenance,
  dateParser: FieldParser<string>,
  yearParser: FieldParser<number>,
): CatalogRow {
  const release_year = validator.optional(COLUMN.release_year, yearParser)
  const release_date = validator.optional(COLUMN.release_date, dateParser)
  if (release_year !== null && release_date !== null && Number(release_date?.slice(0, 4)) !== release_year)
    validator.addError(COLUMN.release_year, 'is not the year of release_date')
  return {
    ...provenance,
    record: 'set',
    set_number: validator.required(COLUMN.set_number, itemNumber),
    title: validator.required(COLUMN.title, title),
    theme: validator.required(COLUMN.theme, title),
    subtheme: validator.optional(COLUMN.subtheme, title),
    pieces: validator.optional(COLUMN.pieces, pieces),
    msrp_cents: validator.optional(COLUMN.msrp_usd, usdToCents),
    release_year,
    release_date,
    retire_date: validator.optional(COLUMN.retire_date, dateParser),
    asin: validator.optional(COLUMN.asin, asin),
    upc: validator.optional(COLUMN.upc, upc),
    ean: validator.optional(COLUMN.ean, ean),
    image_url: validator.optional(COLUMN.image_url, httpsUrl),
    box_width_in: validator.optional(COLUMN.box_width_in, dimension),
    box_height_in: validator.optional(COLUMN.box_height_in, dimension),
    box_depth_in: validator.optional(COLUMN.box_depth_in, dimension),
    box_weight_lbs: validator.optional(COLUMN.box_weight_lbs, dimension),
  }
}

function parseMinifig(validator: RowValidator, provenance: Provenance, yearParser: FieldParser<number>): CatalogRow {
  return {
    ...provenance,
    record: 'minifig',
    minifig_number: validator.required(COLUMN.minifig_number, itemNumber),
    name: validator.required(COLUMN.name, title),
    category: validator.optional(COLUMN.category, title),
    color: validator.optional(COLUMN.color, title),
    year_released: validator.optional(COLUMN.year_released, yearParser),
    image_url: validator.optional(COLUMN.image_url, httpsUrl),
  }
}

function parseAlias(validator: RowValidator, provenance: Provenance): CatalogRow {
  return {
    ...provenance,
    record: 'alias',
    minifig_number: validator.required(COLUMN.minifig_number, itemNumber),
    alias: validator.required(COLUMN.alias, itemNumber),
  }
}

function parseContains(validator: RowValidator, provenance: Provenance): CatalogRow {
  return {
    ...provenance,
    record: 'contains',
    set_number: validator.required(COLUMN.set_number, itemNumber),
    minifig_number: validator.required(COLUMN.minifig_number, itemNumber),
    quantity: validator.required(COLUMN.quantity, quantity),
  }
}

function parseProduct(validator: RowValidator, provenance: Provenance): CatalogRow {
  return {
    ...provenance,
    record: 'product',
    set_number: validator.required(COLUMN.set_number, itemNumber),
    retailer: validator.required(COLUMN.retailer, retailer),
    product_id: validator.required(COLUMN.product_id, id),
    product_url: validator.required(COLUMN.product_url, httpsUrl),
  }
}
