import { sql } from 'kysely'
import type { Database } from './database.ts'
import { retryOnLockTimeout } from './lock-timeout.ts'

const MAX_ATTEMPTS = 20

/**
 * Creates the upcoming partitions of every partitioned table, then drops expired ones. Returns how many changed, by table.
 * Each step of a table has its own transaction, which gives up a lock after 100 ms and is retried, so that statements of the
 * application never wait long behind it. A table that stays locked doesn't keep the others from being maintained, and one
 * whose old partitions can't be dropped gets its new ones.
 */
export async function maintainPartitions(db: Database): Promise<Record<string, number>> {
  const { rows: tables } = await sql<{ table_name: string }>`
    select table_name from maintenance.partition_policy order by table_name`.execute(db)
  const changed: Record<string, number> = {}
  const failures: unknown[] = []
  for (const step of ['create_partitions', 'drop_expired_partitions']) {
    for (const { table_name: table } of tables) {
      try {
        const { rows } = await retryOnLockTimeout(
          () => sql<{ changed: number }>`select maintenance.${sql.raw(step)}(${table}) as changed`.execute(db),
          MAX_ATTEMPTS,
        )
        changed[table] = (changed[table] ?? 0) + rows[0]!.changed
      } catch (error) {
        failures.push(error)
      }
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} tables could not be maintained`)
  return changed
}
