import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { WatchedKind } from './watched-item.ts'

const COLUMNS = { set: 'set_number', minifig: 'minifig_number' } as const

/** Watches an item of the catalog, or changes its target. Returns false if there is no such item. */
export async function watchItem(
  db: Database,
  accountId: number,
  { kind, number, target }: { kind: WatchedKind; number: string; target: number | null },
): Promise<boolean> {
  const column = sql.ref(COLUMNS[kind])
  const { rows } = await sql`
    insert into portfolio.watched_item (account_id, ${column}, target_cents)
    select ${accountId}, ${column}, ${target}::integer
      from ${sql.table(`catalog.${kind}`)} where ${column} = ${number}
    on conflict (account_id, ${column}) do update set target_cents = excluded.target_cents
    returning id`.execute(db)
  return rows.length > 0
}

export async function unwatchItem(
  db: Database,
  accountId: number,
  { kind, number }: { kind: WatchedKind; number: string },
): Promise<void> {
  await db
    .deleteFrom('portfolio.watched_item')
    .where('account_id', '=', accountId)
    .where(COLUMNS[kind], '=', number)
    .execute()
}
