import { checkDigit } from '../../catalog/barcode.ts'

/** Why a value is refused, to be read after the name of its column: "must be more than 0". */
export class FieldError {
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}

/** Reads one value that is not blank. */
export type FieldParser<T> = (text: string) => T | FieldError

/** A value inside a sentence: short, and without characters that would spoil a terminal or a log. */
export function displayValue(text: string): string {
  const short = text.length > 40 ? `${text.slice(0, 40)}…` : text
  return short.toWellFormed().replaceAll(UNPRINTABLE, '\ufffd')
}

/** Text people read, up to `max` characters, without line breaks, control characters or invisible ones. */
export function printableText(max: number): FieldParser<string> {
  return (text) => {
    if (text.length > max) return new FieldError(`is longer than ${max} characters`)
    if (ASCII.test(text) || text.search(UNPRINTABLE) === -1) return text
    return new FieldError(`${displayValue(text)} contains characters that cannot be printed`)
  }
}

/** An id of the source: 1 to 200 printable characters. */
export const id = printableText(200)

/** One of a few words. */
export function oneOf<const V extends readonly string[]>(words: V): FieldParser<V[number]> {
  const list = words.join(', ')
  return (text) => (words.includes(text) ? text : new FieldError(`must be one of ${list}, not ${displayValue(text)}`))
}

/** A set or minifig number as `catalog.set` and `catalog.minifig` accept it. */
export function itemNumber(text: string): string | FieldError {
  if (ITEM_NUMBER.test(text)) return text
  return new FieldError(
    `${displayValue(text)} is not a number of a set or minifig (letters, digits, . _ -, 24 at the most)`,
  )
}

/** A whole number from `min` to `max`. */
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

/** A real day 'YYYY-MM-DD' from `from` to `to`. */
export function isoDate(from: string, to: string): FieldParser<string> {
  // The days of a file are few and repeat: remembering the good ones saves most of the work and stays small.
  const known = new Set<string>()
  return (text) => {
    if (known.has(text)) return text
    if (!isIsoDate(text)) return new FieldError(`${displayValue(text)} is not a date (YYYY-MM-DD)`)
    if (text < from || text > to) return new FieldError(`${text} is not between ${from} and ${to}`)
    known.add(text)
    return text
  }
}

/** The UTC day `days` after an instant. */
export function addDays(now: Date, days: number): string {
  return new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10)
}

function isIsoDate(text: string): boolean {
  if (!DAY.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  // Date.parse takes February 30 for March 2; only a real day is written back as it came.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** An instant in ISO-8601 with its zone, from `from` to `to`; given back in UTC. */
export function timestamp(from: Date, to: Date): FieldParser<string> {
  return (text) => {
    const time = INSTANT.test(text) && isIsoDate(text.slice(0, 10)) ? Date.parse(text) : Number.NaN
    if (Number.isNaN(time)) {
      return new FieldError(`${displayValue(text)} is not a time with a zone (such as 2026-03-01T12:00:00Z)`)
    }
    const utc = new Date(time).toISOString()
    if (time >= from.getTime() && time <= to.getTime()) return utc
    return new FieldError(`${utc} is not between ${from.toISOString()} and ${to.toISOString()}`)
  }
}

/** A barcode of `length` digits whose check digit is right. */
export function barcode(length: number): FieldParser<string> {
  return (text) => {
    if (text.length !== length || !DIGITS.test(text))
      return new FieldError(`${displayValue(text)} is not ${length} digits`)
    const right = checkDigit(text.slice(0, -1))
    return text.endsWith(right) ? text : new FieldError(`${text} has a wrong check digit (it should end in ${right})`)
  }
}

/** A product id of retailer_a. */
export function asin(text: string): string | FieldError {
  return ASIN.test(text) ? text : new FieldError(`${displayValue(text)} is not 10 capital letters and digits`)
}

/** An https address without a user name, up to 2,000 characters. */
export function httpsUrl(text: string): string | FieldError {
  const fine = text.length <= 2000 && URL_START.test(text) && ASCII.test(text) && !text.includes(' ')
  const url = fine ? URL.parse(text) : null
  if (url !== null && url.username === '' && url.password === '') return text
  return new FieldError(`${displayValue(text)} is not an https address`)
}

const currencies = new Set(Intl.supportedValuesOf('currency'))

/** An ISO 4217 code. */
export function currency(text: string): string | FieldError {
  return currencies.has(text) ? text : new FieldError(`${displayValue(text)} is not a currency code of ISO 4217`)
}

/** True or false, as those words. */
export function booleanValue(text: string): boolean | FieldError {
  if (text === 'true') return true
  return text === 'false' ? false : new FieldError(`must be true, false or blank, not ${displayValue(text)}`)
}

const ASCII = /^[\x20-\x7e]*$/
/** Control, format (bidi overrides, zero widths), surrogate, private and unassigned characters, line and paragraph separators. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}\ufffd]/gu
const ITEM_NUMBER = /^[A-Za-z0-9][A-Za-z0-9._-]{0,23}$/
const INTEGER = /^(?:0|[1-9]\d{0,8})$/
const DAY = /^\d{4}-\d\d-\d\d$/
const INSTANT =
  /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:0\d|1[0-4]):?[0-5]\d)$/
const DIGITS = /^\d+$/
const ASIN = /^[A-Z0-9]{10}$/
const URL_START = /^https:\/\/[^/]/
