import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

/** A row to stage: its columns as text, or the reason it was rejected. */
export type StagedRow =
  | { row_number: number; values: (string | null)[] }
  | { row_number: number; reason: string; raw: string }

/**
 * Creates the temporary table `staged` (dropped on commit) and streams good and bad rows into it with a single COPY, so
 * that memory stays flat.
 */
export async function stageRows(
  client: pg.ClientBase,
  columns: string[],
  batches: AsyncIterable<StagedRow[]>,
): Promise<number> {
  const definitions = columns.map((column) => `${column} text`)
  await client.query(
    `create temporary table staged (row_number bigint not null, reason text, raw text, ${definitions.join(', ')}) on commit drop`,
  )
  const stream = client.query(copyFrom(`copy staged (row_number, reason, raw, ${columns.join(', ')}) from stdin`))
  const nullColumns = '\t\\N'.repeat(columns.length)
  let staged = 0
  async function* lines(): AsyncGenerator<string> {
    for await (const batch of batches) {
      let text = ''
      for (const row of batch) {
        text +=
          'values' in row
            ? `${row.row_number}\t\\N\t\\N${row.values.map((value) => `\t${escapeCopyText(value)}`).join('')}\n`
            : `${row.row_number}\t${escapeCopyText(row.reason)}\t${escapeCopyText(row.raw)}${nullColumns}\n`
      }
      staged += batch.length
      yield text
    }
  }
  await pipeline(lines, stream)
  await client.query('analyze staged')
  return staged
}

const SPECIAL = /[\\\t\n\r]/
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

function escapeCopyText(value: string | null): string {
  if (value === null) return '\\N'
  return SPECIAL.test(value) ? value.replaceAll(/[\\\t\n\r]/g, (character) => ESCAPES[character]!) : value
}
