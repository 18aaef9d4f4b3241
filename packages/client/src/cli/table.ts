import type { Terminal } from './terminal.ts'

/** What a person reads in a column. */
export type Column<T> = {
  title: string
  text: (row: T) => string
  right?: boolean
  /** Above 0 a gain, below a loss. */
  sign?: (row: T) => number
  /** It becomes narrower when the terminal is narrow. */
  shrink?: boolean
  /** It is left out when that does not help. */
  spare?: boolean
}

const GAP = '  '
const NARROWEST = 16

export function table<T>(terminal: Terminal, rows: T[], columns: Column<T>[]): string[] {
  const cells = columns.map((column) => ({
    ...column,
    texts: rows.map((row) => printable(column.text(row))),
    width: 0,
  }))
  for (const cell of cells) cell.width = Math.max(...[cell.title, ...cell.texts].map((text) => lettersOf(text).length))
  const shown = fitTo(terminal.width, cells)
  const head = shown.map(({ title, width, right }) => terminal.paint('dim', pad(title, width, right)))
  const body = rows.map((row, place) =>
    shown.map(({ texts, width, right, sign }) => {
      const text = pad(texts[place]!, width, right)
      const direction = sign?.(row) ?? 0
      return direction === 0 ? text : terminal.paint(direction > 0 ? 'green' : 'red', text)
    }),
  )
  return [head, ...body].map((line) => line.join(GAP).trimEnd())
}

/** Lines of a label and what it says. */
export function facts(terminal: Terminal, pairs: [label: string, text: string][]): string[] {
  const width = Math.max(...pairs.map(([label]) => label.length))
  return pairs.map(([label, text]) => `${terminal.paint('dim', label.padEnd(width))}${GAP}${printable(text)}`)
}

type Sized = { width: number; shrink?: boolean; spare?: boolean }

/** The columns that fit, the spare ones leaving from the right. */
function fitTo<C extends Sized>(available: number, columns: C[]): C[] {
  const needed = columns.reduce((sum, { width }) => sum + width + GAP.length, -GAP.length)
  if (needed <= available) return columns
  const shrinking = columns.find(({ shrink }) => shrink)
  const least = shrinking ? Math.min(NARROWEST, shrinking.width) : 0
  const tooWide = needed - (shrinking ? shrinking.width - least : 0) > available
  const leaving = tooWide ? columns.findLast(({ spare }) => spare) : undefined
  if (leaving)
    return fitTo(
      available,
      columns.filter((column) => column !== leaving),
    )
  return columns.map((column) =>
    column === shrinking ? { ...column, width: Math.max(least, column.width - (needed - available)) } : column,
  )
}

/** Names come from outside: none may move the cursor or change a colour. */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ')
}

function pad(text: string, width: number, right = false): string {
  const letters = lettersOf(text)
  if (letters.length > width) return `${letters.slice(0, width - 1).join('')}…`
  const space = ' '.repeat(width - letters.length)
  return right ? space + text : text + space
}

const segmenter = new Intl.Segmenter()

/** As a person counts them: a letter and its accent are one. */
function lettersOf(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}
