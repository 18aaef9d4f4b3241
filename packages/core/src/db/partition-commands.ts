import { sql } from 'kysely'
import type { Database } from './database.ts'

const LOCK_NOT_AVAILABLE = '55P03'
const RETRY_MS = 500
const MAX_ATTEMPTS = 20

/**
 * Creates the coming partitions of every partitioned table and drops expired ones. Returns how many changed, by table.
 * Each table has its own transaction, which gives up a lock after 100 ms and is retried, so that statements of the
 * application never wait long behind it. A table that stays locked doesn't keep the others from being maintained.
 */
export async function maintainPartitions(db: Database): Promise<Record<string, number>> {
  const { rows } = await sql<{ table_name: string }>`
    select table_name from maintenance.partition_policy order by table_name`.execute(db)
  const changed: Record<string, number> = {}
  const failures: unknown[] = []
  for (const { table_name: table } of rows) {
    try {
      changed[table] = await maintainTable(db, table)
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} tables could not be maintained`)
  return changed
}

async function maintainTable(db: Database, table: string): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    try {
      const { rows } = await sql<{ changed: number }>`
        select maintenance.maintain_partitions(${table}) as changed`.execute(db)
      return rows[0]!.changed
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE || attempt === MAX_ATTEMPTS) throw error
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
}
