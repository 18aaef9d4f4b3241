import type { Condition } from '../../catalog/condition.ts'

export type DateOrder = 'day-first' | 'month-first'

/** An amount as somebody wrote it. `currency` is null when no sign or code stands beside it. */
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

/** The currencies that a file without signs may be in. */
export const CURRENCIES = ['USD', 'EUR', 'GBP', 'CAD', 'AUD', 'CHF', 'SEK', 'NOK', 'DKK', 'PLN']

/** Longer than any amount with its currency, and short enough for every reading of it. */
const MAX_AMOUNT_LENGTH = 40

/**
 * An amount with a point or a comma before its decimals; 'unsure' when both readings are possible, as in 1.234.
 * `pointOnly` is for files of programs, where a point always stands before decimals.
 */
export function parseAmount(text: string, decimalPointOnly = false): Amount | 'unsure' | undefined {
  const trimmed = text.trim()
  if (trimmed.length > MAX_AMOUNT_LENGTH) return undefined
  // No character can belong to two parts: a text that is no amount is known as such in one pass.
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

/** The digits of a program, which may have a comma between thousands. */
function stripThousandsSeparators(digits: string): string {
  return /^\d{1,3}(,\d{3})+(\.\d*)?$/.test(digits) ? digits.replaceAll(',', '') : digits
}

/** The digits with a point before the decimals and nothing between thousands; '' when they are not grouped in threes. */
function normalizeDecimal(digits: string): string {
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','))
  if (last === -1) return digits
  const [whole, symbol, decimals] = [digits.slice(0, last), digits[last], digits.slice(last + 1)]
  const grouped = /^\d{1,3}([.,])\d{3}(\1\d{3})*$/.exec(whole)
  if (grouped?.[1] === symbol) return decimals.length === 3 ? digits.replaceAll(symbol!, '') : ''
  if (grouped) return `${whole.replaceAll(grouped[1]!, '')}.${decimals}`
  if (!/^\d*$/.test(whole)) return ''
  if (decimals.length !== 3 || !/^[1-9]\d{0,2}$/.test(whole)) return `${whole}.${decimals}`
  return symbol === ',' ? whole + decimals : 'unsure'
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** A day as YYYY-MM-DD; 'unsure' when day and month could be either and `order` does not say; undefined when it is none. */
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

/** Day and month in an order that the writing itself may tell: 25/04 and 25.4. are sure, 03/04 is not. */
function splitDate(text: string): { a: string; b: string; year: string; order: DateOrder | undefined } | undefined {
  const found = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?:[ ,T].*)?$/.exec(text)
  if (!found) return undefined
  const [, a = '', symbol, b = '', year = ''] = found
  const dayFirst = symbol === '.' || Number(a) > 12 || a.padStart(2, '0') === b.padStart(2, '0')
  const order = dayFirst ? 'day-first' : Number(b) > 12 ? 'month-first' : undefined
  return { a, b, year: year.length === 2 ? `20${year}` : year, order }
}

/** The order that a file's other dates prove, when all that prove one prove the same. */
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

/** Sealed or used, in the words of the formats we know; undefined when the word says neither. */
export function parseCondition(text: string): Condition | undefined {
  const word = text.toLowerCase().replaceAll(/[^a-z]/g, '')
  if (/^(used|u$|open|built|display|complete|incomplete|second)|(?<!un)opened/.test(word)) return 'used'
  if (/^(new|n$|sealed|misb|nisb|unopened|mint|bnib)/.test(word)) return 'sealed'
  return undefined
}
