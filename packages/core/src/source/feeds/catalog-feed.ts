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
type Provenance = { source_id: string; licence_id: string }

const EARLIEST = '1930-01-01'
const TEN_YEARS = 3653

const record = oneOf(['set', 'minifig', 'contains', 'product'])
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
    'set_number', 'title', 'theme', 'subtheme', 'pieces', 'msrp_usd', 'release_date', 'retire_date', 'asin', 'upc', 'ean',
    'image_url', 'box_width_in', 'box_height_in', 'box_depth_in', 'box_weight_lbs',
  ],
  minifig: ['minifig_number', 'name', 'category', 'color', 'year_released', 'image_url'],
  contains: ['set_number', 'minifig_number', 'quantity'],
  product: ['set_number', 'retailer', 'product_id', 'product_url'],
}
const ORIGIN: readonly Column[] = ['source', 'licence', 'record']
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
export function createCatalogRowParser(now: Date): (check: RowValidator) => CatalogRow | undefined {
  // A future date is an announced release or retirement.
  const date = isoDate(EARLIEST, addDays(now, TEN_YEARS))
  const year = integer(Number(EARLIEST.slice(0, 4)), now.getUTCFullYear() + 2)
  const readers: Record<RecordKind, (check: RowValidator, origin: Provenance) => CatalogRow> = {
    set: (check, origin) => parseSet(check, origin, date),
    minifig: (check, origin) => parseMinifig(check, origin, year),
    contains: parseContains,
    product: parseProduct,
  }
  return (check) => {
    const source_id = check.required(COLUMN.source, id)
    const licence_id = check.required(COLUMN.licence, id)
    const kind = check.required(COLUMN.record, record)
    if (kind === undefined) return undefined
    for (const column of FOREIGN_COLUMNS[kind]) {
      if (!check.isBlank(COLUMN[column])) check.addError(COLUMN[column], `does not belong to a ${kind} record`)
    }
    return readers[kind](check, { source_id, licence_id })
  }
}

function parseSet(check: RowValidator, origin: Provenance, date: FieldParser<string>): CatalogRow {
  return {
    ...origin,
    record: 'set',
    set_number: check.required(COLUMN.set_number, itemNumber),
    title: check.required(COLUMN.title, title),
    theme: check.required(COLUMN.theme, title),
    subtheme: check.optional(COLUMN.subtheme, title),
    pieces: check.optional(COLUMN.pieces, pieces),
    msrp_cents: check.optional(COLUMN.msrp_usd, usdToCents),
    release_date: check.optional(COLUMN.release_date, date),
    retire_date: check.optional(COLUMN.retire_date, date),
    asin: check.optional(COLUMN.asin, asin),
    upc: check.optional(COLUMN.upc, upc),
    ean: check.optional(COLUMN.ean, ean),
    image_url: check.optional(COLUMN.image_url, httpsUrl),
    box_width_in: check.optional(COLUMN.box_width_in, dimension),
    box_height_in: check.optional(COLUMN.box_height_in, dimension),
    box_depth_in: check.optional(COLUMN.box_depth_in, dimension),
    box_weight_lbs: check.optional(COLUMN.box_weight_lbs, dimension),
  }
}

function parseMinifig(check: RowValidator, origin: Provenance, year: FieldParser<number>): CatalogRow {
  return {
    ...origin,
    record: 'minifig',
    minifig_number: check.required(COLUMN.minifig_number, itemNumber),
    name: check.required(COLUMN.name, title),
    category: check.optional(COLUMN.category, title),
    color: check.optional(COLUMN.color, title),
    year_released: check.optional(COLUMN.year_released, year),
    image_url: check.optional(COLUMN.image_url, httpsUrl),
  }
}

function parseContains(check: RowValidator, origin: Provenance): CatalogRow {
  return {
    ...origin,
    record: 'contains',
    set_number: check.required(COLUMN.set_number, itemNumber),
    minifig_number: check.required(COLUMN.minifig_number, itemNumber),
    quantity: check.required(COLUMN.quantity, quantity),
  }
}

function parseProduct(check: RowValidator, origin: Provenance): CatalogRow {
  return {
    ...origin,
    record: 'product',
    set_number: check.required(COLUMN.set_number, itemNumber),
    retailer: check.required(COLUMN.retailer, retailer),
    product_id: check.required(COLUMN.product_id, id),
    product_url: check.required(COLUMN.product_url, httpsUrl),
  }
}
