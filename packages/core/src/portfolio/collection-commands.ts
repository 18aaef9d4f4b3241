import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

/**
 * Creates a collection and returns its id; an account's first collection becomes its default. Returns undefined if the
 * name is taken.
 */
export async function createCollection(db: Database, accountId: number, name: string): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    insert into portfolio.collection (account_id, name, is_default)
    select ${accountId}, ${name}, not exists (select from portfolio.collection where account_id = ${accountId})
     where not exists (select from portfolio.collection where account_id = ${accountId} and name = ${name})
    on conflict do nothing
    returning id`.execute(db)
  return rows[0]?.id
}

/** Updates a collection's name and description. Returns false if another collection of the account has that name. */
export async function updateCollection(
  db: Database,
  accountId: number,
  collectionId: number,
  { name, description }: { name: string; description: string | null },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update portfolio.collection set name = ${name}, description = ${description}
     where account_id = ${accountId} and id = ${collectionId}
       and not exists (select from portfolio.collection o
         where o.account_id = ${accountId} and o.id <> ${collectionId} and o.name = ${name})`.execute(db)
  return numAffectedRows === 1n
}

/** Makes this the collection that new lots are added to. */
export async function setDefaultCollection(db: Database, accountId: number, collectionId: number): Promise<void> {
  const ownCollections = db.updateTable('portfolio.collection').where('account_id', '=', accountId)
  await ownCollections
    .set({ is_default: false })
    .where('is_default', '=', true)
    .where('id', '<>', collectionId)
    .execute()
  await ownCollections.set({ is_default: true }).where('id', '=', collectionId).execute()
}

/**
 * Deletes a collection and its lots. Lots referenced by a sale move to the default collection with quantity 0 to
 * preserve history, so the default itself can't be deleted. Returns false if it is the default or doesn't exist.
 */
export async function deleteCollection(db: Database, accountId: number, collectionId: number): Promise<boolean> {
  const defaultCollection = await db
    .selectFrom('portfolio.collection')
    .select('id')
    .where('account_id', '=', accountId)
    .where('is_default', '=', true)
    .executeTakeFirst()
  if (defaultCollection === undefined || defaultCollection.id === collectionId) return false
  // Lock the lots first: otherwise a sale being recorded concurrently would go unnoticed and lose its lots.
  await sql`
    select from portfolio.lot where account_id = ${accountId} and collection_id = ${collectionId} order by id for update`.execute(
    db,
  )
  await sql`
    update portfolio.lot set collection_id = ${defaultCollection.id}, quantity = 0, deleted_at = now()
     where account_id = ${accountId} and collection_id = ${collectionId}
       and exists (select from portfolio.sale_lot l where l.account_id = lot.account_id and l.lot_id = lot.id)`.execute(
    db,
  )
  const { numDeletedRows } = await db
    .deleteFrom('portfolio.collection')
    .where('account_id', '=', accountId)
    .where('id', '=', collectionId)
    .executeTakeFirst()
  return numDeletedRows === 1n
}
