import { stringify } from 'csv-stringify/sync'

/** One CSV line (RFC 4180) without its line break. Text that a spreadsheet would run as a formula gets an apostrophe. */
export function csvLine(cells: unknown[]): string {
  const texts = cells.map((cell) => (typeof cell === 'number' ? cell : escapeFormula(toCellText(cell))))
  return stringify([texts], { eof: false, quoted_match: /[;\t\r]|^\s|\s$/ })
}

function escapeFormula(text: string): string {
  return /^['=+\-@\t\r\n]/.test(text) ? `'${text}` : text
}

/** A list of numbers reads best as words; anything deeper stays JSON. */
export function toCellText(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  const flat = Array.isArray(value) && value.every((item) => typeof item === 'string')
  return flat ? value.join(' ') : JSON.stringify(value)
}
