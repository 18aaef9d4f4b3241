import type { Terminal } from './terminal.ts'

/** A column of a text table. */
export type Column<T> = {
  title: string
  text: (row: T) => string
  right?: boolean
  /** Colors the cell: green above 0, red below. */
  sign?: (row: T) => number
  /** Truncated on narrow terminals. */
  shrink?: boolean
  /** Dropped if truncating isn't enough. */
  optional?: boolean
}

const GAP = '  '
const MIN_SHRUNK_WIDTH = 16

export function table<T>(terminal: Terminal, rows: T[], columns: Column<T>[]): string[] {
  const cells = columns.map((column) => ({
    ...column,
    texts: rows.map((row) => stripControlChars(column.text(row))),
    width: 0,
  }))
  for (const cell of cells) cell.width = Math.max(...[cell.title, ...cell.texts].map((text) => graphemes(text).length))
  const shown = fitColumns(terminal.width, cells)
  const head = shown.map(({ title, width, right }) => terminal.style('dim', pad(title, width, right)))
  const body = rows.map((row, index) =>
    shown.map(({ texts, width, right, sign }) => {
      const text = pad(texts[index]!, width, right)
      const direction = sign?.(row) ?? 0
      return direction === 0 ? text : terminal.style(direction > 0 ? 'green' : 'red', text)
    }),
  )
  return [head, ...body].map((line) => line.join(GAP).trimEnd())
}

/** Renders label/value pairs as aligned lines. */
export function keyValueLines(terminal: Terminal, pairs: [label: string, text: string][]): string[] {
  const width = Math.max(...pairs.map(([label]) => label.length))
  return pairs.map(([label, text]) => `${terminal.style('dim', label.padEnd(width))}${GAP}${stripControlChars(text)}`)
}

type Sized = { width: number; shrink?: boolean; optional?: boolean }

/** Returns the columns that fit; drops optional ones from the right. */
function fitColumns<C extends Sized>(available: number, columns: C[]): C[] {
  const needed = columns.reduce((sum, { width }) => sum + width + GAP.length, -GAP.length)
  if (needed <= available) return columns
  const shrinking = columns.find(({ shrink }) => shrink)
  const minWidth = shrinking ? Math.min(MIN_SHRUNK_WIDTH, shrinking.width) : 0
  const tooWide = needed - (shrinking ? shrinking.width - minWidth : 0) > available
  const dropped = tooWide ? columns.findLast(({ optional }) => optional) : undefined
  if (dropped)
    return fitColumns(
      available,
      columns.filter((column) => column !== dropped),
    )
  return columns.map((column) =>
    column === shrinking ? { ...column, width: Math.max(minWidth, column.width - (needed - available)) } : column,
  )
}

/** Names are untrusted input: strips control characters that could move the cursor or change colors. */
function stripControlChars(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ')
}

function pad(text: string, width: number, right = false): string {
  const letters = graphemes(text)
  if (letters.length > width) return `${letters.slice(0, width - 1).join('')}…`
  const space = ' '.repeat(width - letters.length)
  return right ? space + text : text + space
}

const segmenter = new Intl.Segmenter()

/** Splits text into user-perceived characters: a letter with a combining accent is one. */
function graphemes(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}
