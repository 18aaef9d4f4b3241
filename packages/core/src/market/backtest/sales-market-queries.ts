import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { decodeInt32s } from '../../primitives/packed.ts'
import { findMarketSales } from '../../source/market-sale-queries.ts'
import { findSetAttributes } from '../values/valuation-input-queries.ts'
import type { SalesMarket } from './sales-market.ts'

const ALL_DAYS = { since: 0, until: 100_000 }

/** Loads the sales of a random sample of the sets that were ever sold, the same ones each time. */
export async function loadSalesMarket(db: Database, maxSets: number, today: number): Promise<SalesMarket> {
  const { rows } = await sql<{ item_number: string }>`
    select item_number from (select distinct item_number from source.sale_observation where item_kind = 'set') sold
     order by md5(item_number) limit ${maxSets}`.execute(db)
  const numbers = rows.map((row) => row.item_number)
  const sets = await findSetAttributes(db, today, numbers)
  const sales = await findMarketSales(db, 'set', numbers, ALL_DAYS)
  return {
    // What retailers charge today wasn't known in the past.
    sets: sets.map((set) => ({ ...set, retail_cents: null })),
    items: sales.map(({ item_number, condition, packed }) => ({
      number: item_number,
      condition,
      sales: decodeInt32s(packed),
    })),
  }
}
