import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { toJsonb } from '../primitives/jsonb.ts'
import type { DraftRow, PlannedDraft } from './lot-import/draft.ts'
import type { ImportOptions, PlannedLot } from './lot-import/plan.ts'
import { UNDO_DAYS } from './lot-import/format.ts'
import { lotIsUnchanged, lotHash } from './lot-import-queries.ts'
import { createCollection } from './collection-commands.ts'

/** A file that was read and planned. */
export type ImportDraft = {
  fileName: string
  fingerprint: string
  /** The parsed table as JSON text. */
  content: string
  options: ImportOptions
  planned: PlannedDraft
}

/** Stores a file as the account's draft, replacing any abandoned draft; returns its id. */
export async function saveImportDraft(db: Database, accountId: number, draft: ImportDraft): Promise<number> {
  await db.deleteFrom('portfolio.import').where('account_id', '=', accountId).where('status', '=', 'draft').execute()
  const { id } = await db
    .insertInto('portfolio.import')
    .values({
      account_id: accountId,
      file_name: draft.fileName,
      fingerprint: draft.fingerprint,
      content: draft.content,
      answers: toJsonb(draft.options),
      plan: toJsonb(draft.planned.plan),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertDraftRows(db, accountId, id, draft.planned.rows)
  return id
}

/** Replaces the options and the plan of a draft. Returns false if it is no longer a draft. */
export async function updateImportDraft(
  db: Database,
  accountId: number,
  importId: number,
  options: ImportOptions,
  { plan, rows }: PlannedDraft,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('portfolio.import')
    .set({ answers: toJsonb(options), plan: toJsonb(plan) })
    .where('account_id', '=', accountId)
    .where('id', '=', importId)
    .where('status', '=', 'draft')
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) return false
  await deleteDraftRows(db, accountId, importId)
  await insertDraftRows(db, accountId, importId, rows)
  return true
}

async function insertDraftRows(db: Database, accountId: number, importId: number, rows: DraftRow[]): Promise<void> {
  await sql`
    insert into portfolio.import_row (account_id, import_id, row_number, state, reason, lot, excerpt)
    select ${accountId}, ${importId}, r.row, r.state, r.reason, nullif(r.lot, 'null'), r.excerpt
      from jsonb_to_recordset(${toJsonb(rows)}::jsonb) as r (row integer, state text, reason text, lot jsonb, excerpt text)`.execute(
    db,
  )
}

async function deleteDraftRows(db: Database, accountId: number, importId: number): Promise<void> {
  await db
    .deleteFrom('portfolio.import_row')
    .where('account_id', '=', accountId)
    .where('import_id', '=', importId)
    .execute()
}

const INSERT_BATCH_SIZE = 2000

/**
 * Adds all lots of a draft and marks it as done; run it in a transaction so that it is all or nothing. Creates
 * collections that are named but don't exist. Returns false if it is no longer a draft, so that submitting twice
 * imports once.
 */
export async function commitImport(
  db: Database,
  accountId: number,
  importId: number,
  {
    format,
    lots,
    skipped,
  }: { format: string; lots: (PlannedLot & { target: string | number })[]; skipped: { rows: number; csv: string } },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('portfolio.import')
    .set({
      status: 'done',
      content: null,
      plan: null,
      format,
      imported_at: sql`now()`,
      lots: lots.length,
      units: lots.reduce((units, lot) => units + lot.quantity, 0),
      skipped: skipped.rows,
      skipped_csv: skipped.rows === 0 ? null : skipped.csv,
    })
    .where('account_id', '=', accountId)
    .where('id', '=', importId)
    .where('status', '=', 'draft')
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) return false
  await deleteDraftRows(db, accountId, importId)

  const collections = await resolveCollections(db, accountId, importId, lots)
  for (let offset = 0; offset < lots.length; offset += INSERT_BATCH_SIZE) {
    const rows = lots.slice(offset, offset + INSERT_BATCH_SIZE).map((lot, n) => ({
      n,
      collection_id: typeof lot.target === 'number' ? lot.target : collections.get(lot.target),
      set_number: lot.setNumber,
      condition: lot.condition,
      status: lot.status,
      quantity: lot.quantity,
      purchase_price_cents: lot.price,
      purchase_date: lot.date,
      notes: lot.notes,
    }))
    // Insert in file order, so that an export has the same order.
    await sql`
      insert into portfolio.lot (account_id, collection_id, set_number, condition, status, quantity, purchase_price_cents,
        purchase_date, notes, import_id, imported_as)
      select ${accountId}, collection_id, set_number, condition, status, quantity, purchase_price_cents, purchase_date, notes,
             ${importId}, ${lotHash(sql`l`)}
        from jsonb_to_recordset(${toJsonb(rows)}::jsonb) as l (n integer, collection_id bigint, set_number text,
          condition text, status text, quantity integer, purchase_price_cents integer, purchase_date date, notes text)
       order by n`.execute(db)
  }
  return true
}

/**
 * Returns the ids of the collections that lots refer to by name. Records the collections it creates with the import.
 */
async function resolveCollections(
  db: Database,
  accountId: number,
  importId: number,
  lots: { target: string | number }[],
): Promise<Map<string, number>> {
  const existing = await db
    .selectFrom('portfolio.collection')
    .select(['id', 'name'])
    .where('account_id', '=', accountId)
    .orderBy('id', 'desc')
    .execute()
  const ids = new Map(existing.map(({ id, name }) => [name, id]))
  const created: number[] = []
  for (const { target } of lots) {
    if (typeof target === 'number' || ids.has(target)) continue
    const id = await createCollection(db, accountId, target)
    if (id === undefined) throw new Error('A collection with the same name was created concurrently.')
    ids.set(target, id)
    created.push(id)
  }
  if (created.length > 0) {
    await sql`update portfolio.import set created_collection_ids = ${created}::bigint[]
      where account_id = ${accountId} and id = ${importId}`.execute(db)
  }
  return ids
}

/**
 * Undoes an import from the last UNDO_DAYS days: deletes its unchanged lots and the collections it created that are
 * then empty. Keeps lots that were changed, moved or sold since. Returns undefined if the import can't be undone.
 */
export async function undoImport(
  db: Database,
  accountId: number,
  importId: number,
): Promise<{ removed: number; kept: number } | undefined> {
  const { rows } = await sql<{ created_collection_ids: string[] }>`
    update portfolio.import set status = 'undone', undone_at = now()
     where account_id = ${accountId} and id = ${importId} and status = 'done' and imported_at > now() - ${UNDO_DAYS} * interval '1 day'
    returning created_collection_ids`.execute(db)
  const [undone] = rows
  if (!undone) return undefined
  const { numAffectedRows } = await sql`
    delete from portfolio.lot
     where lot.account_id = ${accountId} and lot.import_id = ${importId} and ${lotIsUnchanged}`.execute(db)
  const kept = await sql<{ kept: number }>`
    with counted as (select count(*) as kept from portfolio.lot where account_id = ${accountId} and import_id = ${importId})
    update portfolio.import i set kept = c.kept from counted c
     where i.account_id = ${accountId} and i.id = ${importId}
    returning c.kept`.execute(db)
  // Delete the default collection only if no other remains: an account with collections always has a default.
  await sql`
    delete from portfolio.collection
     where collection.account_id = ${accountId} and collection.id = any(${undone.created_collection_ids}::bigint[])
       and not exists (select from portfolio.lot where lot.account_id = collection.account_id and lot.collection_id = collection.id)
       and (not collection.is_default or not exists (select from portfolio.collection o
         where o.account_id = collection.account_id and o.id <> collection.id
           and (not (o.id = any(${undone.created_collection_ids}::bigint[]))
             or exists (select from portfolio.lot where lot.account_id = o.account_id and lot.collection_id = o.id))))`.execute(
    db,
  )
  return { removed: Number(numAffectedRows ?? 0n), kept: kept.rows[0]?.kept ?? 0 }
}
