import { FeedRejectedError } from './feed-rejected-error.ts'
import { displayValue } from './field-parsers.ts'
import type { FeedName } from './feed-rows.ts'

/** The columns of each feed. A row's fields are put in this order before validation. */
export const FEED_COLUMNS = {
  // prettier-ignore
  sales: [
    'source', 'license', 'event_id', 'set_number', 'minifig_number', 'condition', 'sold_on', 'price', 'currency',
    'fx_rate', 'quantity', 'seller', 'buyer', 'kind', 'known_on',
  ],
  returns: ['source', 'license', 'event_id', 'returned_on', 'known_on'],
  // prettier-ignore
  retail: [
    'source', 'license', 'event_id', 'retailer', 'product_id', 'observed_at', 'price', 'list_price', 'seller_type',
    'in_stock', 'lowest_fba', 'fba_sellers', 'buy_box',
  ],
  // prettier-ignore
  catalog: [
    'source', 'license', 'record', 'stated_on', 'set_number', 'title', 'theme', 'subtheme', 'pieces', 'msrp_usd', 'release_year',
    'release_date', 'retire_date', 'asin', 'upc', 'ean', 'image_url', 'box_width_in', 'box_height_in', 'box_depth_in',
    'box_weight_lbs', 'minifig_number', 'alias', 'name', 'category', 'color', 'year_released', 'quantity', 'retailer',
    'product_id', 'product_url',
  ],
} as const satisfies Record<FeedName, readonly string[]>

/** Required CSV columns; for `a|b` either is sufficient. */
const REQUIRED: Record<FeedName, readonly string[]> = {
  sales: ['source', 'license', 'event_id', 'set_number|minifig_number', 'sold_on', 'price', 'currency'],
  returns: ['source', 'license', 'event_id', 'returned_on'],
  retail: ['source', 'license', 'retailer', 'product_id', 'observed_at', 'price'],
  catalog: ['source', 'license', 'record', 'set_number|minifig_number'],
}

/** Maps each column name to its index among the fields of a row. */
export function columnIndexes<const C extends readonly string[]>(columns: C): Record<C[number], number> {
  return Object.fromEntries(columns.map((column, index) => [column, index])) as Record<C[number], number>
}

/**
 * Returns the feed's column index for each column of a header. Rejects unknown and duplicate columns, which would
 * otherwise be dropped silently.
 */
export function parseHeader(feed: FeedName, header: readonly string[]): number[] {
  const names = header.map((name) => name.trim().toLowerCase())
  const columns: readonly string[] = FEED_COLUMNS[feed]
  const unknown = names.filter((name) => !columns.includes(name))
  if (unknown.length > 0) throw new FeedRejectedError(unknownColumnsMessage(feed, names, unknown))
  const duplicate = names.find((name, index) => names.indexOf(name) !== index)
  if (duplicate !== undefined) throw new FeedRejectedError(`the column ${duplicate} appears twice`)
  const missing = REQUIRED[feed].filter((choice) => !choice.split('|').some((name) => names.includes(name)))
  if (missing.length > 0) {
    const list = missing.map((choice) => choice.replace('|', ' or ')).join(', ')
    throw new FeedRejectedError(`a ${feed} file needs the column ${list}`)
  }
  return names.map((name) => columns.indexOf(name))
}

function unknownColumnsMessage(feed: FeedName, names: string[], unknown: string[]): string {
  const list = unknown.slice(0, 10).map((name) => (name === '' ? '(no name)' : displayValue(name)))
  const more = unknown.length > 10 ? ` and ${unknown.length - 10} more` : ''
  const sentence = `unknown column ${list.join(', ')}${more}; a ${feed} file may have ${FEED_COLUMNS[feed].join(', ')}`
  return sentence + headerHint(names)
}

function headerHint(names: string[]): string {
  const only = names.length === 1 ? (names[0] as string) : ''
  if (/[;\t|]/.test(only)) return '. Columns must be separated by commas'
  if (only.startsWith('[')) return '. A JSON file must have one object per line, without an enclosing list'
  const feeds = Object.keys(FEED_COLUMNS) as FeedName[]
  const other = feeds.find((feed) => names.every((name) => (FEED_COLUMNS[feed] as readonly string[]).includes(name)))
  return other === undefined ? '' : `. It looks like a ${other} file`
}
