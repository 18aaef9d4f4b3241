import type { Condition } from '../../catalog/condition.ts'

export type DateOrder = 'day-first' | 'month-first'

/** A parsed amount. `currency` is null if it has no symbol or code. */
export type Amount = { cents: number; currency: string | null }

const CURRENCY_SYMBOLS: Record<string, string> = {
  $: 'USD',
  us$: 'USD',
  '€': 'EUR',
  '£': 'GBP',
  c$: 'CAD',
  ca$: 'CAD',
  a$: 'AUD',
  au$: 'AUD',
  zł: 'PLN',
  chf: 'CHF',
}

/** Currencies the user can choose for amounts without a symbol. */
export const CURRENCIES = ['USD', 'EUR', 'GBP', 'CAD', 'AUD', 'CHF', 'SEK', 'NOK', 'DKK', 'PLN']

/** Longer than any amount with its currency, and short enough to keep parsing fast. */
const MAX_AMOUNT_LENGTH = 40

/**
 * Parses an amount with a decimal point or a decimal comma. Returns 'unsure' if both readings are possible, as in
 * 1.234. `decimalPointOnly` is for files written by programs, where the point is always the decimal separator.
 */
export function parseAmount(text: string, decimalPointOnly = false): Amount | 'unsure' | undefined {
  const trimmed = text.trim()
  if (trimmed.length > MAX_AMOUNT_LENGTH) return undefined
  // No character can match two parts, so a text that isn't an amount is rejected in a single pass.
  const found = /^([^\d.,\s-]*)\s*(\d(?:[.,'\s]*\d)*[.,]?|[.,]\d+)\s*([^\d\s.,]*)$/.exec(trimmed)
  if (!found) return undefined
  const symbol = (found[1] || found[3] || '').toLowerCase()
  const currency =
    symbol === '' ? null : (CURRENCY_SYMBOLS[symbol] ?? CURRENCIES.find((code) => code.toLowerCase() === symbol))
  if (currency === undefined) return undefined
  const digits = found[2]!.replaceAll(/['\s]/g, '')
  const number = decimalPointOnly ? stripThousandsSeparators(digits) : normalizeDecimal(digits)
  if (number === 'unsure') return 'unsure'
  return /^\d*(\.\d*)?$/.test(number) && /\d/.test(number)
    ? { cents: Math.round(Number(number) * 100), currency }
    : undefined
}

/** Removes commas between thousands from machine-written digits. */
function stripThousandsSeparators(digits: string): string {
  return /^\d{1,3}(,\d{3})+(\.\d*)?$/.test(digits) ? digits.replaceAll(',', '') : digits
}

/** Returns the digits with a decimal point and without thousands separators; '' if they aren't grouped in threes. */
function normalizeDecimal(digits: string): string {
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','))
  if (last === -1) return digits
  const [integer, symbol, decimals] = [digits.slice(0, last), digits[last], digits.slice(last + 1)]
  const grouped = /^\d{1,3}([.,])\d{3}(\1\d{3})*$/.exec(integer)
  if (grouped?.[1] === symbol) return decimals.length === 3 ? digits.replaceAll(symbol!, '') : ''
  if (grouped) return `${integer.replaceAll(grouped[1]!, '')}.${decimals}`
  if (!/^\d*$/.test(integer)) return ''
  if (decimals.length !== 3 || !/^[1-9]\d{0,2}$/.test(integer)) return `${integer}.${decimals}`
  return symbol === ',' ? integer + decimals : 'unsure'
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/**
 * Parses a date to YYYY-MM-DD. Returns 'unsure' if day and month are ambiguous and `order` is undefined; undefined if
 * it isn't a date.
 */
export function parseDate(text: string, order: DateOrder | undefined): string | undefined {
  const trimmed = text.trim()
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ].*)?$/.exec(trimmed)
  if (iso) return toIsoDate(iso[1]!, iso[2]!, iso[3]!)
  const named =
    /^(?<day>\d{1,2})[ -](?<month>[a-z]{3,9})\.?,?[ -](?<year>\d{4})$/i.exec(trimmed) ??
    /^(?<month>[a-z]{3,9})\.? (?<day>\d{1,2}),? (?<year>\d{4})$/i.exec(trimmed)
  if (named?.groups) {
    const { day = '', month = '', year = '' } = named.groups
    return toIsoDate(year, String(MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1), day)
  }
  const parts = splitDate(trimmed)
  if (!parts) return undefined
  const resolvedOrder = parts.order ?? order
  if (resolvedOrder === undefined) return 'unsure'
  return resolvedOrder === 'day-first'
    ? toIsoDate(parts.year, parts.b, parts.a)
    : toIsoDate(parts.year, parts.a, parts.b)
}

/** Splits a numeric date. `order` is set if the format implies it: 25/04 and 25.4. are unambiguous, 03/04 isn't. */
function splitDate(text: string): { a: string; b: string; year: string; order: DateOrder | undefined } | undefined {
  const found = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?:[ ,T].*)?$/.exec(text)
  if (!found) return undefined
  const [, a = '', symbol, b = '', year = ''] = found
  const dayFirst = symbol === '.' || Number(a) > 12 || a.padStart(2, '0') === b.padStart(2, '0')
  const order = dayFirst ? 'day-first' : Number(b) > 12 ? 'month-first' : undefined
  return { a, b, year: year.length === 2 ? `20${year}` : year, order }
}

/** Infers the date order from the unambiguous dates of a file; undefined if there are none or they disagree. */
export function inferDateOrder(texts: Iterable<string>): DateOrder | undefined {
  const proven = new Set<DateOrder>()
  for (const text of texts) {
    const parts = splitDate(text.trim())
    if (parts && (Number(parts.a) > 12 || Number(parts.b) > 12) && parts.order) proven.add(parts.order)
  }
  return proven.size === 1 ? [...proven][0] : undefined
}

function toIsoDate(year: string, month: string, day: string): string | undefined {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : undefined
}

/** Parses a condition in the terms of the known formats; undefined if the text implies neither sealed nor used. */
export function parseCondition(text: string): Condition | undefined {
  const word = text.toLowerCase().replaceAll(/[^a-z]/g, '')
  if (/^(used|u$|open|built|display|complete|incomplete|second)|(?<!un)opened/.test(word)) return 'used'
  if (/^(new|n$|sealed|misb|nisb|unopened|mint|bnib)/.test(word)) return 'sealed'
  return undefined
}
