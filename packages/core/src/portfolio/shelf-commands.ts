import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { hashShelfToken, shelfToken } from './shelf-token.ts'

export type ShelfSettings = { heading: string; showsValue: boolean; showsPurchaseDate: boolean; showsNotes: boolean }

/** Shares a collection, or changes what its shelf shows; the link stays. */
export async function saveShelf(
  db: Database,
  accountId: number,
  collectionId: number,
  { secret, ...settings }: ShelfSettings & { secret: string },
): Promise<void> {
  const { salt, hash } = newToken(secret)
  const { heading, showsValue, showsPurchaseDate, showsNotes } = settings
  await sql`
    insert into portfolio.shelf
      (account_id, collection_id, heading, shows_value, shows_purchase_date, shows_notes, salt, token_hash)
    values (${accountId}, ${collectionId}, ${heading}, ${showsValue}, ${showsPurchaseDate}, ${showsNotes}, ${salt}, ${hash})
    on conflict (account_id, collection_id) do update set
      heading = excluded.heading, shows_value = excluded.shows_value,
      shows_purchase_date = excluded.shows_purchase_date, shows_notes = excluded.shows_notes`.execute(db)
}

/** Gives a shelf another link. The old one stops working. Returns false if there is no shelf. */
export async function replaceShelfLink(
  db: Database,
  accountId: number,
  collectionId: number,
  secret: string,
): Promise<boolean> {
  const { salt, hash } = newToken(secret)
  const { numUpdatedRows } = await db
    .updateTable('portfolio.shelf')
    .set({ salt, token_hash: hash })
    .where('account_id', '=', accountId)
    .where('collection_id', '=', collectionId)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Stops sharing a collection. Returns false if it isn't shared. */
export async function deleteShelf(db: Database, accountId: number, collectionId: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('portfolio.shelf')
    .where('account_id', '=', accountId)
    .where('collection_id', '=', collectionId)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

function newToken(secret: string): { salt: Buffer; hash: Buffer } {
  const salt = randomBytes(32)
  return { salt, hash: hashShelfToken(shelfToken(secret, salt)) }
}
