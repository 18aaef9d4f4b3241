import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../db/database.ts'
import type { ImportOptions } from './lot-import/plan.ts'

/** Returns an account's completed and undone imports, newest first. */
export function findImports(db: Database, accountId: number) {
  return db
    .selectFrom('portfolio.import')
    .select(['id', 'status', 'file_name', 'format', 'imported_at', 'lots', 'units', 'skipped', 'undone_at', 'kept'])
    .where('account_id', '=', accountId)
    .where('status', '<>', 'draft')
    .orderBy('id', 'desc')
    .limit(200)
    .execute()
}

export async function findImport(db: Database, accountId: number, importId: number) {
  const found = await db
    .selectFrom('portfolio.import')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', importId)
    .executeTakeFirst()
  return found && { ...found, answers: found.answers as unknown as ImportOptions }
}

/** Returns the latest import of the same file that was not undone. */
export function findImportByFingerprint(db: Database, accountId: number, fingerprint: string) {
  return db
    .selectFrom('portfolio.import')
    .select(['file_name', 'imported_at', 'lots'])
    .where('account_id', '=', accountId)
    .where('fingerprint', '=', fingerprint)
    .where('status', '=', 'done')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Hash of a lot's current values; `imported_as` holds the hash from when it was imported. */
export function lotHash(lot: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`md5(row(${lot}.collection_id, ${lot}.set_number, ${lot}.condition, ${lot}.status, ${lot}.quantity,
    ${lot}.purchase_price_cents, ${lot}.purchase_date, ${lot}.notes)::text)`
}

/** Whether the lot `h` is unchanged since its import. */
export const lotIsUnchanged = sql<boolean>`(h.imported_as = ${lotHash(sql`h`)}
  and not exists (select from portfolio.sale_lot s where s.account_id = h.account_id and s.lot_id = h.id))`

/** Counts how many lots of an import an undo would delete, and how many it would keep. */
export async function countUndoableLots(db: Database, accountId: number, importId: number) {
  const { rows } = await sql<{ unchanged: number; changed: number }>`
    select count(*) filter (where ${lotIsUnchanged}) as unchanged, count(*) filter (where not ${lotIsUnchanged}) as changed
      from portfolio.lot h
     where h.account_id = ${accountId} and h.import_id = ${importId}`.execute(db)
  return rows[0] ?? { unchanged: 0, changed: 0 }
}
