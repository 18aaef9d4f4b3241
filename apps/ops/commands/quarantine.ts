import type { Database } from '@brickmark/core/db/database'
import { findPendingQuarantine } from '@brickmark/core/source/quarantine-queries'

/** Prints quarantined rows with their origin, reason and content. */
export async function listQuarantine(
  db: Database,
  { feed, limit }: { feed?: string | undefined; limit: number },
): Promise<void> {
  const rows = await findPendingQuarantine(db, { feed, limit })
  if (rows.length === 0) process.stdout.write('No quarantined rows.\n')
  for (const row of rows) {
    const text = row.raw ?? JSON.stringify(row.staged)
    const line = text.slice(text.lastIndexOf('\n') + 1)
    process.stdout.write(
      `${row.feed} import ${row.import_id} (${row.file_name}), row ${row.row_number}: ${row.reason}\n    ${line.slice(0, 200)}\n`,
    )
  }
}
