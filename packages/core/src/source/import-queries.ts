import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

export type ImportRecord = {
  id: number
  feed: string
  file_name: string
  accepted: number
  repeated: number
  quarantined: number
  finished_at: Date
  held_at: Date | null
  held_reason: string | null
  undo_started_at: Date | null
  undone_at: Date | null
}

/** Returns the error for a number that no import has. */
export function unknownImport(importId: number): Error {
  return new Error(`There is no import ${importId}. \`ops import list\` shows the latest.`)
}

/** Returns the latest files and polls, newest first. */
export function findImports(db: Database, limit: number): Promise<ImportRecord[]> {
  return db
    .selectFrom('source.import')
    .select(['id', 'feed', 'file_name', 'accepted', 'repeated', 'quarantined', 'finished_at'])
    .select(['held_at', 'held_reason', 'undo_started_at', 'undone_at'])
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Counts what is stored of an import, and the finalized months that may depend on it; undefined if there is no such import. */
export async function countImportRows(db: Database, importId: number) {
  const { rows } = await sql<{ feed: string; rows: number; items: number; months: number; held: number }>`
    with stored as (
      select item_kind, item_number from source.sale_observation where import_id = ${importId}
       union all
      select item_kind, item_number from source.sale_return where import_id = ${importId}
       union all
      select 'set', set_number from source.retail_observation left join source.retail_product using (retailer, product_id)
       where import_id = ${importId}
    )
    select feed, (select count(*) from stored) as rows, (select count(distinct (item_kind, item_number)) from stored) as items,
           (select count(*) from market.finalized_month m where m.finalized_at >= i.finished_at) as months,
           (select count(*) from source.held_row h where h.import_id = i.id) as held
      from source.import i where id = ${importId}`.execute(db)
  return rows[0]
}
