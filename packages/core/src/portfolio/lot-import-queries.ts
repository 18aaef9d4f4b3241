import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../db/database.ts'
import type { DraftPlan, DraftRow } from './lot-import/draft.ts'
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

/** An import without the content of its file. */
export async function findImport(db: Database, accountId: number, importId: number) {
  return db
    .selectFrom('portfolio.import')
    .select(['id', 'status', 'file_name', 'imported_at', 'lots', 'skipped_csv'])
    .where('account_id', '=', accountId)
    .where('id', '=', importId)
    .executeTakeFirst()
}

export type StoredDraft = {
  id: number
  fileName: string
  fingerprint: string
  options: ImportOptions
  plan: DraftPlan
}

/** Returns a draft with its plan, but without its rows; 'done' if it was imported in the meantime. */
export async function findImportDraft(
  db: Database,
  accountId: number,
  importId: number,
): Promise<StoredDraft | 'done' | undefined> {
  const found = await db
    .selectFrom('portfolio.import')
    .select(['id', 'status', 'file_name', 'fingerprint', 'answers', 'plan'])
    .where('account_id', '=', accountId)
    .where('id', '=', importId)
    .executeTakeFirst()
  if (found === undefined) return undefined
  if (found.status !== 'draft') return 'done'
  return {
    id: found.id,
    fileName: found.file_name,
    fingerprint: found.fingerprint,
    options: found.answers as unknown as ImportOptions,
    plan: found.plan as unknown as DraftPlan,
  }
}

/** Returns the parsed table of a draft as JSON text. */
export async function findDraftContent(db: Database, accountId: number, importId: number): Promise<string | undefined> {
  const found = await db
    .selectFrom('portfolio.import')
    .select('content')
    .where('account_id', '=', accountId)
    .where('id', '=', importId)
    .executeTakeFirst()
  return found?.content ?? undefined
}

/** Returns a page of a draft's rows in file order, optionally only those in one state. */
export async function findDraftRows(
  db: Database,
  accountId: number,
  importId: number,
  { state, limit, offset }: { state: DraftRow['state'] | undefined; limit: number; offset: number },
): Promise<DraftRow[]> {
  const rows = await db
    .selectFrom('portfolio.import_row')
    .select(['row_number', 'state', 'reason', 'lot', 'excerpt'])
    .where('account_id', '=', accountId)
    .where('import_id', '=', importId)
    .$if(state !== undefined, (query) => query.where('state', '=', state!))
    .orderBy('row_number')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map((row) => ({
    row: row.row_number,
    state: row.state as DraftRow['state'],
    reason: row.reason,
    lot: row.lot as unknown as DraftRow['lot'],
    excerpt: row.excerpt,
  }))
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

/** Whether `portfolio.lot` is unchanged since its import. */
export const lotIsUnchanged = sql<boolean>`(lot.imported_as = ${lotHash(sql`lot`)}
  and not exists (select from portfolio.sale_lot s where s.account_id = lot.account_id and s.lot_id = lot.id))`

/** Counts how many lots of an import an undo would delete, and how many it would keep. */
export async function countUndoableLots(db: Database, accountId: number, importId: number) {
  const { rows } = await sql<{ unchanged: number; changed: number }>`
    select count(*) filter (where ${lotIsUnchanged}) as unchanged, count(*) filter (where not ${lotIsUnchanged}) as changed
      from portfolio.lot
     where lot.account_id = ${accountId} and lot.import_id = ${importId}`.execute(db)
  return rows[0] ?? { unchanged: 0, changed: 0 }
}
