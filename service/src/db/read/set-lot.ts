import { sql } from 'kysely'
import type { Database } from '../database.ts'
import type { LotStatus } from '../../domain/lot.ts'
import type { Condition } from '../../domain/portfolio.ts'

/** The lots of one set that an account holds, over all collections, the oldest first. */
export async function findLotsOfSet(db: Database, accountId: number, setNumber: string) {
  const { rows } = await sql<{
    id: number
    brickfolio_id: number
    collection: string
    quantity: number
    condition: Condition
    status: LotStatus
    purchase_price_usd: string
    purchase_date: string
  }>`
    select h.id, h.brickfolio_id, b.name as collection, h.quantity, h.condition, h.status, h.purchase_price_usd,
           h.purchase_date
      from portfolio.holding h
      join portfolio.brickfolio b on b.account_id = h.account_id and b.id = h.brickfolio_id
     where h.account_id = ${accountId} and h.set_number = ${setNumber} and h.quantity > 0
     order by h.purchase_date, h.id`.execute(db)
  return rows
}
