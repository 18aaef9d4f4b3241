/** A chart point; null is a gap. */
export type Point = { label: string; value: number | null }

const HEIGHT = 10
const MAX_WIDTH = 96

/** Renders a line chart as text: an axis of `format`ted values on the left, the first and last label below. */
export function renderChart(points: Point[], width: number, format: (value: number) => string): string[] {
  const known = points.map(({ value }) => value).filter((value) => value !== null)
  if (known.length < 2) return []
  const low = Math.min(...known)
  const high = Math.max(...known)
  const axis = Array.from({ length: HEIGHT }, (_, row) => format(high - ((high - low) * row) / (HEIGHT - 1)))
  const margin = Math.max(...axis.map((text) => text.length))
  const columns = Math.max(2, Math.min(width - margin - 2, MAX_WIDTH, points.length * 3))
  const levels = resample(points, columns).map((value) =>
    value === null ? null : Math.round(high === low ? HEIGHT / 2 : ((high - value) / (high - low)) * (HEIGHT - 1)),
  )
  const lines = draw(levels).map((line, row) => `${axis[row]!.padStart(margin)} ┤${line}`.trimEnd())
  const first = points[0]!.label
  const last = points.at(-1)!.label
  return [
    ...lines,
    `${' '.repeat(margin + 1)}└${'─'.repeat(columns)}`,
    `${' '.repeat(margin + 2)}${first}${last.padStart(Math.max(last.length + 1, columns - first.length))}`,
  ]
}

/** Resamples the points to one value per column, by linear interpolation. */
function resample(points: Point[], columns: number): (number | null)[] {
  return Array.from({ length: columns }, (_, column) => {
    const index = (column / (columns - 1)) * (points.length - 1)
    const before = points[Math.floor(index)]!.value
    const after = points[Math.ceil(index)]!.value
    return before === null || after === null ? null : before + (after - before) * (index % 1)
  })
}

function draw(levels: (number | null)[]): string[] {
  const grid = Array.from({ length: HEIGHT }, () => Array.from(levels, () => ' '))
  levels.forEach((level, column) => {
    if (level === null) return
    const from = levels[column - 1] ?? level
    const [top, bottom] = [Math.min(from, level), Math.max(from, level)]
    for (let row = top + 1; row < bottom; row++) grid[row]![column] = '│'
    // Row 0 is the highest value, so a smaller level is further up.
    if (level === from) grid[level]![column] = '─'
    else {
      grid[from]![column] = level < from ? '╯' : '╮'
      grid[level]![column] = level < from ? '╭' : '╰'
    }
  })
  return grid.map((row) => row.join(''))
}
