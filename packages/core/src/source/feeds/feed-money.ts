import { FieldError, displayValue } from './field-parsers.ts'

const MAX_CENTS = 100_000_000n

/** Validates a positive plain decimal and returns it unchanged: no sign, no thousands separators, no exponent. */
export function decimalAmount(text: string): string | FieldError {
  return AMOUNT.test(text) && NOT_ZERO.test(text) ? text : invalidNumber(text)
}

/** Parses US dollars from 0.01 to 1,000,000 to cents, rounded half up. */
export function usdToCents(text: string): number | FieldError {
  const plain = decimalAmount(text)
  return plain instanceof FieldError ? plain : toCents(plain, '1')
}

/**
 * Parses an exchange rate (USD per unit of the currency): up to four digits before the decimal point and ten after it.
 */
export function fxRate(text: string): string | FieldError {
  if (RATE.test(text) && NOT_ZERO.test(text)) return text
  if (NEGATIVE_OR_ZERO.test(text)) return new FieldError('must be more than 0')
  return new FieldError(
    `${displayValue(text)} is not a plain rate (at most 4 digits before the point and 10 after it, such as 1.0845)`,
  )
}

/** Converts a price to US cents, rounded half up. */
export function toCents(price: string, rate: string): number | FieldError {
  // Fast path for most rows: US dollars with two decimals, too short to exceed the limit.
  if (rate === '1' && price.length <= 9 && CENTS.test(price)) return Math.round(Number(price) * 100)
  const cents = toHundredths(price, rate)
  if (cents < 1n) return new FieldError('is less than 0.01 USD')
  return cents > MAX_CENTS ? new FieldError('is more than 1,000,000 USD') : Number(cents)
}

/** Parses a length or weight from 0.01 to 1,000, with two decimals. */
export function dimension(text: string): string | FieldError {
  const plain = decimalAmount(text)
  if (plain instanceof FieldError) return plain
  const value = toHundredths(plain, '1')
  return value >= 1n && value <= 100_000n
    ? (Number(value) / 100).toFixed(2)
    : new FieldError('must be from 0.01 to 1,000')
}

/** Uses integers, because 1.005 × 100 is less than 100.5 in floating point. */
function toHundredths(price: string, rate: string): bigint {
  const scale = 10n ** BigInt(decimals(price) + decimals(rate))
  return (digits(price) * digits(rate) * 200n + scale) / (2n * scale)
}

function decimals(text: string): number {
  const point = text.indexOf('.')
  return point === -1 ? 0 : text.length - point - 1
}

function digits(text: string): bigint {
  return BigInt(text.replace('.', ''))
}

function invalidNumber(text: string): FieldError {
  if (NEGATIVE_OR_ZERO.test(text)) return new FieldError('must be more than 0')
  return new FieldError(
    `${displayValue(text)} is not a plain number (digits, a point, at most 4 decimals, such as 1234.50)`,
  )
}

/**
 * Four decimals, for unit prices that result from a division; twelve digits before the decimal point, for a million
 * dollars in rupiah.
 */
const AMOUNT = /^(?:0|[1-9]\d{0,11})(?:\.\d{1,4})?$/
const RATE = /^(?:0|[1-9]\d{0,3})(?:\.\d{1,10})?$/
const NOT_ZERO = /[1-9]/
const CENTS = /^\d+\.\d\d$/
const NEGATIVE_OR_ZERO = /^(?:-\d+(?:\.\d+)?|0(?:\.0*)?)$/
