const USD = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const USD_COMPACT = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumFractionDigits: 1,
  minimumFractionDigits: 0,
})
const PERCENT = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 })

/** The minus sign of all text; a hyphen is shorter and may start a line. */
const MINUS = '\u2212'

/** Formats cents, e.g. $1,234.50 or −$5.00. */
export function formatUsd(cents: number): string {
  return withMinus(USD.format(cents / 100))
}

/** Formats cents for an axis, e.g. $1.2K. */
export function formatUsdCompact(cents: number): string {
  return withMinus(USD_COMPACT.format(cents / 100))
}

/** Formats a ratio with up to one decimal: 0.125 is 12.5%. */
export function formatPercent(ratio: number): string {
  return withMinus(PERCENT.format(ratio))
}

/** Returns the sign that stands before an amount that rises or falls. */
export function signOf(amount: number): string {
  return amount > 0 ? '+' : amount < 0 ? MINUS : '±'
}

function withMinus(text: string): string {
  return text.replace('-', MINUS)
}
