import { stringify } from 'csv-stringify/sync'

/** Also the full-width forms, which some spreadsheets read like the others. */
const FORMULA = /^['=+\-@\t\r\n＝＋－＠]/

/** Prefixes text that a spreadsheet would run as a formula with an apostrophe. `unescapeFormula` reverses it. */
export function escapeFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text
}

/** Reverses `escapeFormula`. */
export function unescapeFormula(text: string): string {
  return text.startsWith("'") && FORMULA.test(text.slice(1)) ? text.slice(1) : text
}

/** Formats rows as CSV (RFC 4180). Text is formula-escaped, numbers are not; null is an empty cell. */
export function formatCsv(rows: (string | number | null)[][]): string {
  return stringify(rows, {
    record_delimiter: 'windows',
    // Besides commas and quotes: single line breaks, separators of other locales, and spaces that readers like to trim.
    quoted_match: /[;\t\r\n]|^\s|\s$/,
    cast: { string: escapeFormula },
  })
}
