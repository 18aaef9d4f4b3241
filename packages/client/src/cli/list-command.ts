import type { RateLimit } from '../errors.ts'
import type { List } from '../list.ts'
import { readList } from '../collect-list.ts'
import { count } from './format.ts'
import type { Answer } from './output.ts'
import { table, type Column } from './table.ts'
import type { Terminal } from './terminal.ts'

/** Reads a list page by page, with a line of progress if it is long, and shows it as a table. */
export async function readRows<T extends object>(
  terminal: Terminal,
  list: List<T>,
  columns: Column<T>[],
  max?: number,
): Promise<Answer & { rateLimit: RateLimit | undefined }> {
  const { rows, total, rateLimit } = await readList(list, max, (read, all) =>
    terminal.progress(`${count(read)} of ${count(Math.min(all, max ?? all))}`),
  )
  if (total === 0) terminal.note('There is none.')
  else if (total > rows.length) terminal.note(`${count(rows.length)} of ${count(total)}; --max gives more.`)
  return { rows, rateLimit, lines: () => (total === 0 ? [] : table(terminal, rows, columns)) }
}
