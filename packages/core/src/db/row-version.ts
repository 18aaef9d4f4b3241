import { sql, type RawBuilder } from 'kysely'

/** Another text after every change of a row of this table or alias: what a form was filled from, told again when it is saved. */
export function rowVersion(table: string): RawBuilder<string> {
  return sql<string>`${sql.ref(`${table}.xmin`)}::text`
}
