import { FEED_COLUMNS } from './feed-columns.ts'
import { Fault, shown } from './field-parsers.ts'
import type { FeedName } from './feed-rows.ts'

/** Columns that hold amounts: only they may be a JSON number with decimals, because 1.10 and 1.1 are one number. */
const AMOUNTS = new Set<string>([
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

/** Reads one NDJSON line into the fields of a row, in the order of the feed's columns. */
export function ndjsonReader(feed: FeedName): (line: string) => string[] | Fault {
  const columns: readonly string[] = FEED_COLUMNS[feed]
  const places = new Map(columns.map((column, place) => [column, place]))
  const blank = columns.map(() => '')
  return (line) => {
    const object = parseObject(line)
    if (object instanceof Fault) return object
    const fields = blank.slice()
    for (const key of Object.keys(object)) {
      const place = places.get(key)
      if (place === undefined)
        return new Fault(`unknown key ${shown(key)}; a ${feed} row may have ${columns.join(', ')}`)
      const text = toText(key, object[key])
      if (text instanceof Fault) return new Fault(`${key} ${text.sentence}`)
      fields[place] = text
    }
    return fields
  }
}

function parseObject(line: string): Record<string, unknown> | Fault {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : new Fault('the line is not a JSON object')
  } catch {
    return new Fault('the line is not valid JSON')
  }
}

function toText(key: string, value: unknown): string | Fault {
  if (typeof value === 'string') return value
  if (value === null) return ''
  if (typeof value === 'boolean' && key === 'in_stock') return String(value)
  if (typeof value !== 'number')
    return new Fault(`must be text${key === 'in_stock' ? ', true or false' : ' or a number'}`)
  // Beyond 2^53 two different ids would become one.
  if (Number.isSafeInteger(value) || (AMOUNTS.has(key) && Math.abs(value) < Number.MAX_SAFE_INTEGER))
    return String(value)
  return new Fault('must be text in quotes: as a JSON number it is not exact')
}
