import { sql } from 'kysely'
import type { Database } from '../database.ts'

/** An account's collections, the default one first. */
export function findBrickfolios(db: Database, accountId: number) {
  return db
    .selectFrom('portfolio.brickfolio')
    .select(['id', 'name', 'description', 'is_default', 'created_at'])
    .where('account_id', '=', accountId)
    .orderBy('is_default', 'desc')
    .orderBy('id')
    .execute()
}

/** Whether the account owns this collection. */
export async function ownsBrickfolio(db: Database, accountId: number, brickfolioId: number): Promise<boolean> {
  const found = await db
    .selectFrom('portfolio.brickfolio')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', brickfolioId)
    .executeTakeFirst()
  return found !== undefined
}

/** What each collection holds now, by set and condition: units and what they cost. */
export async function findHeldBySet(db: Database, accountId: number) {
  const { rows } = await sql<{
    brickfolio_id: number
    set_number: string
    condition: 'sealed' | 'used'
    quantity: number
    cost_usd: string
  }>`
    select brickfolio_id, set_number, condition, sum(quantity) as quantity, sum(quantity * purchase_price_usd) as cost_usd
      from portfolio.holding
     where account_id = ${accountId} and quantity > 0
     group by brickfolio_id, set_number, condition`.execute(db)
  return rows
}

/** What is held now, by month of purchase, over all collections. */
export async function findMonthlyPeriods(db: Database, accountId: number) {
  const { rows } = await sql<{ month: string; entry_count: number; items: number; cost_usd: string }>`
    select to_char(purchase_date, 'YYYY-MM') as month, count(*) as entry_count, sum(quantity) as items,
           sum(quantity * purchase_price_usd) as cost_usd
      from portfolio.holding
     where account_id = ${accountId} and quantity > 0
     group by 1
     order by 1`.execute(db)
  return rows
}
