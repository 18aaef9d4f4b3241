import { checkDigit } from '../../catalog/barcode.ts'

/** Why a value is rejected, phrased to follow the column name: "must be more than 0". */
export class FieldError {
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}

/** Parses one non-blank value. */
export type FieldParser<T> = (text: string) => T | FieldError

/** Formats a value for a message: shortened, and without characters that would garble a terminal or a log. */
export function displayValue(text: string): string {
  const short = text.length > 40 ? `${text.slice(0, 40)}…` : text
  return short.toWellFormed().replaceAll(UNPRINTABLE, '\ufffd')
}

/** Parses human-readable text of up to `max` characters, without line breaks, control or invisible characters. */
export function printableText(max: number): FieldParser<string> {
  return (text) => {
    if (text.length > max) return new FieldError(`is longer than ${max} characters`)
    if (ASCII.test(text) || text.search(UNPRINTABLE) === -1) return text
    return new FieldError(`${displayValue(text)} contains unprintable characters`)
  }
}

/** A source-defined id: 1 to 200 printable characters. */
export const id = printableText(200)

/** Parses one of the given words. */
export function oneOf<const V extends readonly string[]>(words: V): FieldParser<V[number]> {
  const list = words.join(', ')
  return (text) => (words.includes(text) ? text : new FieldError(`must be one of ${list}, not ${displayValue(text)}`))
}

/** Parses a set or minifig number in the format that `catalog.set` and `catalog.minifig` accept. */
export function itemNumber(text: string): string | FieldError {
  if (ITEM_NUMBER.test(text)) return text
  return new FieldError(
    `${displayValue(text)} is not a set or minifig number (letters, digits, . _ -, at most 24 characters)`,
  )
}

/** Parses a whole number from `min` to `max`. */
export function integer(min: number, max: number): FieldParser<number> {
  return (text) => {
    const value = INTEGER.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return value
    return new FieldError(
      `must be a whole number from ${min} to ${max.toLocaleString('en')}, not ${displayValue(text)}`,
    )
  }
}

const DAY_MS = 86_400_000

/** Parses a calendar date 'YYYY-MM-DD' from `from` to `to`. */
export function isoDate(from: string, to: string): FieldParser<string> {
  // A file has few distinct dates: caching the valid ones saves most of the work and stays small.
  const known = new Set<string>()
  return (text) => {
    if (known.has(text)) return text
    if (!isIsoDate(text)) return new FieldError(`${displayValue(text)} is not a date (YYYY-MM-DD)`)
    if (text < from || text > to) return new FieldError(`${text} is not between ${from} and ${to}`)
    known.add(text)
    return text
  }
}

/** Returns the UTC date `days` after an instant. */
export function addDays(now: Date, days: number): string {
  return new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10)
}

function isIsoDate(text: string): boolean {
  if (!DAY.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  // Date.parse accepts February 30 as March 2; only a real date formats back to the same text.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** Parses an ISO 8601 instant with a time zone, from `from` to `to`; returns it in UTC. */
export function timestamp(from: Date, to: Date): FieldParser<string> {
  return (text) => {
    const time = INSTANT.test(text) && isIsoDate(text.slice(0, 10)) ? Date.parse(text) : Number.NaN
    if (Number.isNaN(time)) {
      return new FieldError(`${displayValue(text)} is not a time with a time zone (such as 2026-03-01T12:00:00Z)`)
    }
    const utc = new Date(time).toISOString()
    if (time >= from.getTime() && time <= to.getTime()) return utc
    return new FieldError(`${utc} is not between ${from.toISOString()} and ${to.toISOString()}`)
  }
}

/** Parses a barcode of `length` digits with a valid check digit. */
export function barcode(length: number): FieldParser<string> {
  return (text) => {
    if (text.length !== length || !DIGITS.test(text))
      return new FieldError(`${displayValue(text)} is not ${length} digits`)
    const expected = checkDigit(text.slice(0, -1))
    return text.endsWith(expected)
      ? text
      : new FieldError(`${text} has a wrong check digit (it should end in ${expected})`)
  }
}

/** Parses a product id of retailer_a. */
export function asin(text: string): string | FieldError {
  return ASIN.test(text) ? text : new FieldError(`${displayValue(text)} is not 10 capital letters and digits`)
}

/** Parses an https URL without credentials, up to 2,000 characters. */
export function httpsUrl(text: string): string | FieldError {
  const plausible = text.length <= 2000 && URL_START.test(text) && ASCII.test(text) && !text.includes(' ')
  const url = plausible ? URL.parse(text) : null
  if (url !== null && url.username === '' && url.password === '') return text
  return new FieldError(`${displayValue(text)} is not an https URL`)
}

const currencies = new Set(Intl.supportedValuesOf('currency'))

/** Parses an ISO 4217 currency code. */
export function currency(text: string): string | FieldError {
  return currencies.has(text) ? text : new FieldError(`${displayValue(text)} is not an ISO 4217 currency code`)
}

/** Parses `true` or `false`. */
export function booleanValue(text: string): boolean | FieldError {
  if (text === 'true') return true
  return text === 'false' ? false : new FieldError(`must be true, false or blank, not ${displayValue(text)}`)
}

const ASCII = /^[\x20-\x7e]*$/
/**
 * Control, format (bidi overrides, zero-width), surrogate, private-use and unassigned characters, line and paragraph
 * separators.
 */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}\ufffd]/gu
const ITEM_NUMBER = /^[A-Za-z0-9][A-Za-z0-9._-]{0,23}$/
const INTEGER = /^(?:0|[1-9]\d{0,8})$/
const DAY = /^\d{4}-\d\d-\d\d$/
const INSTANT =
  /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:0\d|1[0-4]):?[0-5]\d)$/
const DIGITS = /^\d+$/
const ASIN = /^[A-Z0-9]{10}$/
const URL_START = /^https:\/\/[^/]/
