import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Cursor } from './change-queries.ts'

/** Adds a change for every set whose status differs from the last one known. */
export async function refreshStatuses(db: Database): Promise<void> {
  await sql`select change.refresh_statuses()`.execute(db)
}

/** Locks the cursor of a reader until the transaction ends; undefined if another process has it, or if it is new. */
export async function claimCursor(db: Database, reader: string): Promise<Cursor | undefined> {
  const { rows } = await sql<{ transaction_id: string; change_id: number; is_ahead: boolean }>`
    select transaction_id::text, change_id, transaction_id > pg_snapshot_xmax(pg_current_snapshot()) as is_ahead
      from change.cursor where reader = ${reader} for update skip locked`.execute(db)
  const [row] = rows
  if (row === undefined) {
    await addCursor(db, reader)
    return undefined
  }
  const cursor = { transactionId: row.transaction_id, changeId: row.change_id }
  return row.is_ahead ? restartTransactionIds(db, reader, cursor) : cursor
}

/** Lets a new reader start at the present. */
async function addCursor(db: Database, reader: string): Promise<void> {
  await sql`
    insert into change.cursor (reader, transaction_id, change_id)
    values (${reader}, pg_snapshot_xmin(pg_current_snapshot()), 0) on conflict do nothing`.execute(db)
}

export async function saveCursor(db: Database, reader: string, { transactionId, changeId }: Cursor): Promise<void> {
  await sql`
    update change.cursor set transaction_id = ${transactionId}::xid8, change_id = ${changeId}
     where reader = ${reader}`.execute(db)
}

/**
 * Transaction ids start again in a server that was restored from a dump. Changes that were read get the lowest id, and all
 * others the current one, which keeps them in order. A change with a low transaction id was read unless it is newer than the
 * cursor: then it was written after the restore.
 */
async function restartTransactionIds(db: Database, reader: string, cursor: Cursor): Promise<Cursor> {
  await sql`
    update change.change set transaction_id =
      case when (transaction_id, id) <= (${cursor.transactionId}::xid8, ${cursor.changeId})
             and not (transaction_id <= pg_snapshot_xmax(pg_current_snapshot()) and id > ${cursor.changeId})
           then '0'::xid8 else pg_current_xact_id() end`.execute(db)
  const restarted = { transactionId: '1', changeId: 0 }
  await saveCursor(db, reader, restarted)
  return restarted
}
