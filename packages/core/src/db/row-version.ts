import { sql, type RawBuilder } from 'kysely'

/**
 * Optimistic-locking token (`xmin`) of a table or alias: changes on every update. A form sends back the version it was
 * rendered from.
 */
export function rowVersion(table: string): RawBuilder<string> {
  return sql<string>`${sql.ref(`${table}.xmin`)}::text`
}
