import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

export const MAX_VIEW_NAME = 40
const MAX_VIEW_QUERY = 1000
const MAX_VIEWS = 20

/** Saves a view of a collection, in place of one with the same name. Returns a message if it can't. */
export async function saveLotView(
  db: Database,
  accountId: number,
  collectionId: number,
  { name, query }: { name: string; query: string },
): Promise<string | undefined> {
  if (name === '' || name.length > MAX_VIEW_NAME) return `Enter a name (up to ${MAX_VIEW_NAME} characters).`
  if (query === '') return 'Filter or sort the lots first, then save the view.'
  if (query.length > MAX_VIEW_QUERY) return 'That filter is too long to save.'
  const { rows } = await sql`
    insert into portfolio.lot_view (account_id, collection_id, name, query)
    select ${accountId}, ${collectionId}, ${name}, ${query}
     where (select count(*) from portfolio.lot_view
             where account_id = ${accountId} and collection_id = ${collectionId} and name <> ${name}) < ${MAX_VIEWS}
    on conflict (account_id, collection_id, name) do update set query = excluded.query
    returning id`.execute(db)
  return rows.length === 0 ? `A collection can have up to ${MAX_VIEWS} saved views. Delete one first.` : undefined
}

export async function deleteLotView(db: Database, accountId: number, collectionId: number, id: number): Promise<void> {
  await db
    .deleteFrom('portfolio.lot_view')
    .where('account_id', '=', accountId)
    .where('collection_id', '=', collectionId)
    .where('id', '=', id)
    .execute()
}
