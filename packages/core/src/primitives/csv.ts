/**
 * One line of a CSV file. A cell that a spreadsheet would take for a formula is neutralised with an apostrophe; numbers
 * are left as they are.
 */
export function csvLine(cells: (string | number | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(cell: string | number | null): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const FORMULA = /^['=+\-@\t\r\n]/

/** A text that no spreadsheet takes for a formula: what could be one gets an apostrophe before it. */
export function escapeFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text
}

/** What was there before `neutralize`. */
export function unescapeFormula(text: string): string {
  return text.startsWith("'") && FORMULA.test(text.slice(1)) ? text.slice(1) : text
}

/** Lines of CSV as RFC 4180 has them, with every cell neutralized. */
export function formatCsv(rows: string[][]): string {
  return rows.map((cells) => `${cells.map(quote).join(',')}\r\n`).join('')
}

function quote(cell: string): string {
  const text = escapeFormula(cell)
  return /[",\r\n;\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
