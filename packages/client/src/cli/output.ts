import { csvLine, toCellText } from './csv.ts'
import { suggest, UsageError } from './errors.ts'
import { table } from './table.ts'
import type { Terminal } from './terminal.ts'

export type OutputOptions = { json?: boolean; csv?: boolean; fields?: string }

/** Result of a command: `rows` for --csv, `data` for --json if it differs from the rows, `renderText` for terminals. */
export type CommandResult = { rows: object[]; data?: unknown; renderText: () => string[] }

/** Parses --fields and rejects unknown names, before any request is sent and charged. */
export function parseFields(chosen: string | undefined, available: readonly string[]): string[] | undefined {
  if (chosen === undefined) return undefined
  const names = chosen.split(',').map((name) => name.trim())
  for (const name of names) {
    if (available.includes(name)) continue
    const suggestion = suggest(name, available)
    throw new UsageError(`Unknown field "${name}".${suggestion} Available fields: ${available.join(', ')}.`)
  }
  return names
}

export function writeOutput(
  terminal: Terminal,
  { json, csv }: OutputOptions,
  chosen: string[] | undefined,
  available: readonly string[],
  { rows, data, renderText }: CommandResult,
): void {
  if (json) {
    const picked =
      chosen && rows.map((row) => Object.fromEntries(chosen.map((name) => [name, valueAt(row, name) ?? null])))
    // A command that returns a single object keeps returning an object with --fields.
    const value = picked === undefined ? (data ?? rows) : data !== undefined && data === rows[0] ? picked[0] : picked
    terminal.out(JSON.stringify(value, null, 2))
  } else if (csv) {
    const names = chosen ?? available
    terminal.out(csvLine([...names]))
    for (const row of rows) terminal.out(csvLine(names.map((name) => valueAt(row, name))))
  } else if (chosen) {
    const columns = chosen.map((name) => ({
      title: name,
      text: (row: object) => toCellText(valueAt(row, name)) || '–',
      right: rows.some((row) => typeof valueAt(row, name) === 'number'),
    }))
    for (const line of table(terminal, rows, columns)) terminal.out(line)
  } else {
    for (const line of renderText()) terminal.out(line)
  }
}

/** Returns the value at a path such as `value_range.low`. */
export function valueAt(row: object, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown> | null)?.[name], row)
}
