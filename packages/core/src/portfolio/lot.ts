import { type Condition, isCondition } from '../catalog/condition.ts'
import type { ItemKind } from './item.ts'

export type LotStatus = 'owned' | 'listed'

/**
 * Units of an item bought together. `price` is the cost per unit, in cents. Price and date are null if unknown, the condition
 * if the item is a custom one.
 */
export type Lot = {
  quantity: number
  condition: Condition | null
  status: LotStatus
  price: number | null
  /** YYYY-MM-DD */
  date: string | null
  notes: string | null
  custom?: CustomItem
}

/** An item that its owner names and values, in cents per unit; null if they don't know. */
type CustomItem = {
  name: string
  value: number | null
  /** After how many months to ask whether the value still holds; null for never. */
  reviewMonths: number | null
}

/** Changes that can be applied to many lots at once. `moveTo` is a collection id. */
export type LotPatch = {
  condition?: Condition | undefined
  status?: LotStatus | undefined
  price?: number | undefined
  moveTo?: number | undefined
}

export const MAX_UNITS = 1_000_000

/** Maximum of the database column, in cents. */
export const MAX_PRICE = 999_999_999

export const MAX_NOTES = 2000

export const MAX_COLLECTION_NAME = 100

export const MAX_ITEM_NAME = 100

/** After how many months an owner can be asked about the value of a custom item. */
const REVIEW_MONTHS = [3, 12]

const EARLIEST_PURCHASE_DATE = '1900-01-01'

/** Shown when the purchase date is invalid. */
export const PURCHASE_DATE_MESSAGE = 'Enter a date no later than today, e.g. 2025-03-31.'

export function isLotStatus(text: string): text is LotStatus {
  return text === 'owned' || text === 'listed'
}

/** Parses a whole number from 1 to 1,000,000; undefined if invalid. */
export function parseQuantity(text: string): number | undefined {
  const quantity = /^\d{1,7}$/.test(text.trim()) ? Number(text) : 0
  return quantity >= 1 && quantity <= MAX_UNITS ? quantity : undefined
}

/** Parses dollars from a form field (12, 12.5 or 12.50) to cents; undefined if invalid. */
export function parsePrice(text: string): number | undefined {
  return /^\d{1,7}(\.\d{1,2})?$/.test(text.trim()) ? Math.round(Number(text) * 100) : undefined
}

/** Whether the text is a calendar date between 1900 and `today`, both YYYY-MM-DD. */
export function isValidPurchaseDate(text: string, today: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text < EARLIEST_PURCHASE_DATE || text > today) return false
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

/**
 * Parses a lot from form fields, or returns a message that names the invalid field. An empty price or date is unknown. Only
 * sets have a condition to choose: minifigs have the value of used ones.
 */
export function parseLot(getField: (name: string) => string, today: string, kind: ItemKind = 'set'): Lot | string {
  const quantity = parseQuantity(getField('quantity'))
  const price = getField('price').trim() === '' ? null : parsePrice(getField('price'))
  const [condition, status, date, notes] = ['condition', 'status', 'date', 'notes'].map((name) =>
    getField(name).trim(),
  ) as [string, string, string, string]
  if (quantity === undefined) return 'Enter a quantity between 1 and 1,000,000.'
  if (price === undefined) return 'Enter a valid price, e.g. 12.50 (0 for gifts), or leave it blank.'
  if (kind === 'set' && !isCondition(condition)) return 'Choose Sealed or Used.'
  if (!isLotStatus(status)) return 'Choose Owned or Listed.'
  if (date !== '' && !isValidPurchaseDate(date, today)) return PURCHASE_DATE_MESSAGE
  if (notes.length > MAX_NOTES) return `Notes can be up to ${MAX_NOTES.toLocaleString('en-US')} characters.`
  const custom = kind === 'custom' ? parseCustomItem(getField) : undefined
  if (typeof custom === 'string') return custom
  return {
    quantity,
    price,
    condition: isCondition(condition) && kind === 'set' ? condition : kind === 'minifig' ? 'used' : null,
    status,
    date: date === '' ? null : date,
    notes: notes === '' ? null : notes,
    ...(custom && { custom }),
  }
}

function parseCustomItem(getField: (name: string) => string): CustomItem | string {
  const [name, value, review] = ['name', 'value', 'review'].map((field) => getField(field).trim()) as [
    string,
    string,
    string,
  ]
  const cents = value === '' ? null : parsePrice(value)
  if (name === '' || name.length > MAX_ITEM_NAME) return `Enter a name (up to ${MAX_ITEM_NAME} characters).`
  if (cents === undefined) return 'Enter a valid value, e.g. 90.00, or leave it blank.'
  return { name, value: cents, reviewMonths: REVIEW_MONTHS.find((months) => String(months) === review) ?? null }
}

/** Filter for a collection's lots; omitted fields match all held lots. */
export type LotFilter = {
  text?: string | undefined
  condition?: Condition | undefined
  status?: LotStatus | undefined
  theme?: string | undefined
  /** The year in which the set was released. */
  year?: number | undefined
  retired?: boolean | undefined
  /** Worth less than was paid. */
  isLosing?: boolean | undefined
  hasPrice?: boolean | undefined
}

/** A selection of lots, by id or by filter. */
export type LotSelection = { ids: number[] } | { filter: LotFilter }
