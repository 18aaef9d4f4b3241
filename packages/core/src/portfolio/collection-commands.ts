import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

/** A new collection; the first one of an account is its default. Undefined when the name is taken. */
export async function createBrickfolio(db: Database, accountId: number, name: string): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    insert into portfolio.brickfolio (account_id, name, is_default)
    select ${accountId}, ${name}, not exists (select from portfolio.brickfolio where account_id = ${accountId})
     where not exists (select from portfolio.brickfolio where account_id = ${accountId} and name = ${name})
    on conflict do nothing
    returning id`.execute(db)
  return rows[0]?.id
}

/** Gives a collection another name and description; false when another one of the account has that name. */
export async function updateBrickfolio(
  db: Database,
  accountId: number,
  brickfolioId: number,
  { name, description }: { name: string; description: string | null },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update portfolio.brickfolio set name = ${name}, description = ${description}
     where account_id = ${accountId} and id = ${brickfolioId}
       and not exists (select from portfolio.brickfolio o
         where o.account_id = ${accountId} and o.id <> ${brickfolioId} and o.name = ${name})`.execute(db)
  return numAffectedRows === 1n
}

/** New holdings go here from now on. */
export async function setDefaultBrickfolio(db: Database, accountId: number, brickfolioId: number): Promise<void> {
  const ownBrickfolios = db.updateTable('portfolio.brickfolio').where('account_id', '=', accountId)
  await ownBrickfolios
    .set({ is_default: false })
    .where('is_default', '=', true)
    .where('id', '<>', brickfolioId)
    .execute()
  await ownBrickfolios.set({ is_default: true }).where('id', '=', brickfolioId).execute()
}

/**
 * Deletes a collection and the lots in it. Lots that were sold from move to the default collection without units, so that
 * the past can be told; so the default itself stays. False when it is the default, or there is none.
 */
export async function deleteBrickfolio(db: Database, accountId: number, brickfolioId: number): Promise<boolean> {
  const defaultBrickfolio = await db
    .selectFrom('portfolio.brickfolio')
    .select('id')
    .where('account_id', '=', accountId)
    .where('is_default', '=', true)
    .executeTakeFirst()
  if (defaultBrickfolio === undefined || defaultBrickfolio.id === brickfolioId) return false
  // Held first: a sale that is being recorded would otherwise not be seen, and lose its lots.
  await sql`
    select from portfolio.holding where account_id = ${accountId} and brickfolio_id = ${brickfolioId} order by id for update`.execute(
    db,
  )
  await sql`
    update portfolio.holding h set brickfolio_id = ${defaultBrickfolio.id}, quantity = 0
     where account_id = ${accountId} and brickfolio_id = ${brickfolioId}
       and exists (select from portfolio.sale_lot l where l.account_id = h.account_id and l.holding_id = h.id)`.execute(
    db,
  )
  const { numDeletedRows } = await db
    .deleteFrom('portfolio.brickfolio')
    .where('account_id', '=', accountId)
    .where('id', '=', brickfolioId)
    .executeTakeFirst()
  return numDeletedRows === 1n
}
