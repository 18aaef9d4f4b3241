import { sql } from 'kysely'

/** Another text after every change of a row: what a form was filled from, told again when it is saved. */
export const VERSION = sql<string>`xmin::text`.as('version')
