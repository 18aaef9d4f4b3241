/** RFC 4180, with the lines ended as in files of this system. */
export function csvLine(cells: unknown[]): string {
  return cells.map(csvCell).join(',')
}

function csvCell(value: unknown): string {
  const text = toCellText(value)
  if (typeof value === 'number') return text
  // A spreadsheet would run a text that begins like this as a formula.
  const escaped = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(escaped) ? `"${escaped.replaceAll('"', '""')}"` : escaped
}

/** A list of numbers reads best as words; anything deeper stays JSON. */
export function toCellText(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  const flat = Array.isArray(value) && value.every((item) => typeof item === 'string')
  return flat ? value.join(' ') : JSON.stringify(value)
}
