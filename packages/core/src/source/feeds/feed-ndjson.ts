import { FEED_COLUMNS } from './feed-columns.ts'
import { FieldError, displayValue } from './field-parsers.ts'
import type { FeedName } from './feed-rows.ts'

/**
 * Columns that may be a JSON number with decimals. Elsewhere decimals would be ambiguous, because 1.10 and 1.1 are the
 * same number.
 */
const DECIMAL_COLUMNS = new Set<string>([
  'price',
  'list_price',
  'lowest_fba',
  'buy_box',
  'fx_rate',
  'msrp_usd',
  'box_width_in',
  'box_height_in',
  'box_depth_in',
  'box_weight_lbs',
])

/** Creates a parser that turns an NDJSON line into the fields of a row, in the order of the feed's columns. */
export function createNdjsonParser(feed: FeedName): (line: string) => string[] | FieldError {
  const columns: readonly string[] = FEED_COLUMNS[feed]
  const columnIndexes = new Map(columns.map((column, index) => [column, index]))
  const blank = columns.map(() => '')
  return (line) => {
    const object = parseObject(line)
    if (object instanceof FieldError) return object
    const fields = blank.slice()
    for (const key of Object.keys(object)) {
      const index = columnIndexes.get(key)
      if (index === undefined)
        return new FieldError(`unknown key ${displayValue(key)}; a ${feed} row may have ${columns.join(', ')}`)
      const text = toText(key, object[key])
      if (text instanceof FieldError) return new FieldError(`${key} ${text.message}`)
      fields[index] = text
    }
    return fields
  }
}

function parseObject(line: string): Record<string, unknown> | FieldError {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : new FieldError('the line is not a JSON object')
  } catch {
    return new FieldError('the line is not valid JSON')
  }
}

function toText(key: string, value: unknown): string | FieldError {
  if (typeof value === 'string') return value
  if (value === null) return ''
  if (typeof value === 'boolean' && key === 'in_stock') return String(value)
  if (typeof value !== 'number')
    return new FieldError(`must be a string${key === 'in_stock' ? ', true or false' : ' or a number'}`)
  // Beyond 2^53 two different ids could become the same number.
  if (Number.isSafeInteger(value) || (DECIMAL_COLUMNS.has(key) && Math.abs(value) < Number.MAX_SAFE_INTEGER))
    return String(value)
  return new FieldError("must be a string, because it isn't exact as a JSON number")
}
