/** Formats a CSV line (RFC 4180), without line ending: the caller adds `\n`. */
export function csvLine(cells: unknown[]): string {
  return cells.map(csvCell).join(',')
}

function csvCell(value: unknown): string {
  const text = toCellText(value)
  if (typeof value === 'number') return text
  // Spreadsheets would evaluate text that starts like this as a formula.
  const escaped = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(escaped) ? `"${escaped.replaceAll('"', '""')}"` : escaped
}

/** Formats a value as text: arrays of strings joined by spaces, anything deeper as JSON. */
export function toCellText(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  const flat = Array.isArray(value) && value.every((item) => typeof item === 'string')
  return flat ? value.join(' ') : JSON.stringify(value)
}
