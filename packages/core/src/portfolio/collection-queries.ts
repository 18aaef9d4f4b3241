import type { Database } from '../db/database.ts'

/** Returns an account's collections, the default first. */
export function findCollections(db: Database, accountId: number) {
  return db
    .selectFrom('portfolio.collection')
    .select(['id', 'name', 'description', 'is_default', 'created_at'])
    .where('account_id', '=', accountId)
    .orderBy('is_default', 'desc')
    .orderBy('id')
    .execute()
}

/** Returns the collection that new lots go to: the default or else the first; null if the account has none. */
export async function findDefaultCollection(db: Database, accountId: number): Promise<number | null> {
  const found = await db
    .selectFrom('portfolio.collection')
    .select('id')
    .where('account_id', '=', accountId)
    .orderBy('is_default', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return found?.id ?? null
}

/** Whether the account owns this collection. */
export async function ownsCollection(db: Database, accountId: number, collectionId: number): Promise<boolean> {
  const found = await db
    .selectFrom('portfolio.collection')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', collectionId)
    .executeTakeFirst()
  return found !== undefined
}
