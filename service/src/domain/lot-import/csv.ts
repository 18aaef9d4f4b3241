const FORMULA = /^['=+\-@\t\r\n]/

/** A text that no spreadsheet takes for a formula: what could be one gets an apostrophe before it. */
export function neutralize(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text
}

/** What was there before `neutralize`. */
export function restore(text: string): string {
  return text.startsWith("'") && FORMULA.test(text.slice(1)) ? text.slice(1) : text
}

/** Lines of CSV as RFC 4180 has them, with every cell neutralized. */
export function writeCsv(rows: string[][]): string {
  return rows.map((cells) => `${cells.map(quote).join(',')}\r\n`).join('')
}

function quote(cell: string): string {
  const text = neutralize(cell)
  return /[",\r\n;\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export const OWN_HEADER = [
  'collection',
  'set_number',
  'title',
  'condition',
  'status',
  'quantity',
  'purchase_price_usd',
  'purchase_date',
  'notes',
] as const

export type ExportedLot = Record<Exclude<(typeof OWN_HEADER)[number], 'notes' | 'quantity'>, string> & {
  quantity: number
  notes: string | null
}

/** Lots in our own format, which an import reads back exactly. */
export function exportLots(lots: ExportedLot[]): string {
  return writeCsv([[...OWN_HEADER], ...lots.map((lot) => OWN_HEADER.map((column) => String(lot[column] ?? '')))])
}
