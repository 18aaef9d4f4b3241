import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { ImportOptions, PlannedLot } from './lot-import/plan.ts'
import { UNDO_DAYS } from './lot-import/format.ts'
import { formatUsd } from '../primitives/money.ts'
import { lotIsUnchanged, lotHash } from './lot-import-queries.ts'
import { createBrickfolio } from './collection-commands.ts'

/** Keeps a file until its questions are answered, in the place of a draft that was left lying; returns its id. */
export async function saveImportDraft(
  db: Database,
  accountId: number,
  draft: { fileName: string; fingerprint: string; content: string; options: ImportOptions },
): Promise<number> {
  await db.deleteFrom('portfolio.import').where('account_id', '=', accountId).where('status', '=', 'draft').execute()
  const { id } = await db
    .insertInto('portfolio.import')
    .values({
      account_id: accountId,
      file_name: draft.fileName,
      fingerprint: draft.fingerprint,
      content: draft.content,
      answers: JSON.stringify(draft.options),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function saveImportOptions(
  db: Database,
  accountId: number,
  importId: number,
  options: ImportOptions,
): Promise<void> {
  await db
    .updateTable('portfolio.import')
    .set({ answers: JSON.stringify(options) })
    .where('account_id', '=', accountId)
    .where('id', '=', importId)
    .where('status', '=', 'draft')
    .execute()
}

const INSERT_BATCH_SIZE = 2000

/**
 * Adds all lots of a draft and closes it; within one transaction, so all or nothing. Collections that are named and not
 * there are made. False when it is no draft any more: a second press of the button adds nothing.
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
      format,
      imported_at: sql`now()`,
      lots: lots.length,
      units: lots.reduce((units, lot) => units + lot.quantity, 0),
      left_out: skipped.rows,
      left_out_csv: skipped.rows === 0 ? null : skipped.csv,
    })
    .where('account_id', '=', accountId)
    .where('id', '=', importId)
    .where('status', '=', 'draft')
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) return false

  const collections = await resolveCollections(db, accountId, importId, lots)
  for (let at = 0; at < lots.length; at += INSERT_BATCH_SIZE) {
    const rows = lots.slice(at, at + INSERT_BATCH_SIZE).map((lot, n) => ({
      n,
      brickfolio_id: typeof lot.target === 'number' ? lot.target : collections.get(lot.target),
      set_number: lot.setNumber,
      condition: lot.condition,
      status: lot.status,
      quantity: lot.quantity,
      purchase_price_usd: formatUsd(lot.price),
      purchase_date: lot.date,
      notes: lot.notes,
    }))
    // In the order of the file, so that an export gives the same order again.
    await sql`
      insert into portfolio.holding (account_id, brickfolio_id, set_number, condition, status, quantity, purchase_price_usd,
        purchase_date, notes, import_id, imported_as)
      select ${accountId}, brickfolio_id, set_number, condition, status, quantity, purchase_price_usd, purchase_date, notes,
             ${importId}, ${lotHash(sql`l`)}
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as l (n integer, brickfolio_id bigint, set_number text,
          condition text, status text, quantity integer, purchase_price_usd numeric(10, 2), purchase_date date, notes text)
       order by n`.execute(db)
  }
  return true
}

/** The ids of the collections that lots go into by name; those the import makes are noted with it. */
async function resolveCollections(
  db: Database,
  accountId: number,
  importId: number,
  lots: { target: string | number }[],
): Promise<Map<string, number>> {
  const known = await db
    .selectFrom('portfolio.brickfolio')
    .select(['id', 'name'])
    .where('account_id', '=', accountId)
    .orderBy('id', 'desc')
    .execute()
  const ids = new Map(known.map(({ id, name }) => [name, id]))
  const created: number[] = []
  for (const { target } of lots) {
    if (typeof target === 'number' || ids.has(target)) continue
    const id = await createBrickfolio(db, accountId, target)
    if (id === undefined) throw new Error('A collection was made elsewhere at the same moment.')
    ids.set(target, id)
    created.push(id)
  }
  if (created.length > 0) {
    await sql`update portfolio.import set made_brickfolios = ${created}::bigint[]
      where account_id = ${accountId} and id = ${importId}`.execute(db)
  }
  return ids
}

/**
 * Takes back what an import of the last days added: every lot that is still as it was, and the collections it made that
 * are empty then. Lots that were changed, moved or sold since stay. Undefined when it cannot be undone.
 */
export async function undoImport(
  db: Database,
  accountId: number,
  importId: number,
): Promise<{ removed: number; kept: number } | undefined> {
  const { rows } = await sql<{ made_brickfolios: string[] }>`
    update portfolio.import set status = 'undone', undone_at = now()
     where account_id = ${accountId} and id = ${importId} and status = 'done' and imported_at > now() - ${UNDO_DAYS} * interval '1 day'
    returning made_brickfolios`.execute(db)
  const [undone] = rows
  if (!undone) return undefined
  const { numAffectedRows } = await sql`
    delete from portfolio.holding h
     where h.account_id = ${accountId} and h.import_id = ${importId} and ${lotIsUnchanged}`.execute(db)
  const kept = await sql<{ kept: number }>`
    with counted as (select count(*) as kept from portfolio.holding where account_id = ${accountId} and import_id = ${importId})
    update portfolio.import i set kept = c.kept from counted c
     where i.account_id = ${accountId} and i.id = ${importId}
    returning c.kept`.execute(db)
  // The default goes only with the last: an account that has collections has a default.
  await sql`
    delete from portfolio.brickfolio b
     where b.account_id = ${accountId} and b.id = any(${undone.made_brickfolios}::bigint[])
       and not exists (select from portfolio.holding h where h.account_id = b.account_id and h.brickfolio_id = b.id)
       and (not b.is_default or not exists (select from portfolio.brickfolio o
         where o.account_id = b.account_id and o.id <> b.id
           and (not (o.id = any(${undone.made_brickfolios}::bigint[]))
             or exists (select from portfolio.holding h where h.account_id = o.account_id and h.brickfolio_id = o.id))))`.execute(
    db,
  )
  return { removed: Number(numAffectedRows ?? 0n), kept: kept.rows[0]?.kept ?? 0 }
}
