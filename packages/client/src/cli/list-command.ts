import type { RateLimit } from '../errors.ts'
import type { List } from '../list.ts'
import { collectList } from '../collect-list.ts'
import { formatNumber } from './format.ts'
import type { CommandResult } from './output.ts'
import { table, type Column } from './table.ts'
import type { Terminal } from './terminal.ts'

/** Fetches a list page by page, with a progress line if there are several pages, and renders it as a table. */
export async function runListQuery<T extends object>(
  terminal: Terminal,
  list: List<T>,
  columns: Column<T>[],
  max?: number,
): Promise<CommandResult & { rateLimit: RateLimit | undefined }> {
  const { rows, total, rateLimit } = await collectList(list, max, (read, all) =>
    terminal.progress(`${formatNumber(read)} of ${formatNumber(Math.min(all, max ?? all))}`),
  )
  if (total === 0) terminal.info('No results.')
  else if (total > rows.length)
    terminal.info(`${formatNumber(rows.length)} of ${formatNumber(total)}. Use --max to see more.`)
  return { rows, rateLimit, renderText: () => (total === 0 ? [] : table(terminal, rows, columns)) }
}
