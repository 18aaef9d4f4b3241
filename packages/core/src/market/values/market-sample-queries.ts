import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { SaleReader } from './sale-store-queries.ts'
import { hasMarket, toSetWithSales } from './set-sales.ts'
import { findSetAttributes } from './valuation-input-queries.ts'
import { MarketSample } from '../valuation/model-fit.ts'

/** The growth of the market shows in this many sets. */
const SAMPLE_SETS = 1500

/** Loads a sample of the sets that have a market on a day, with their sales as known on another. */
export async function loadMarketSample(
  db: Database,
  readSales: SaleReader,
  { asOf, knownOn }: { asOf: number; knownOn: number },
): Promise<{ sample: MarketSample; sets: number }> {
  const attributes = await findSetAttributes(db, asOf, await findSampleSets(db, SAMPLE_SETS))
  const sample = new MarketSample(asOf)
  let sets = 0
  for await (const { items, store } of readSales('set', attributes, (set) => set.set_number, asOf)) {
    for (const set of items) {
      const sold = toSetWithSales(set, store, asOf, knownOn)
      if (!hasMarket(set, sold, asOf)) continue
      sample.add(sold)
      sets++
    }
  }
  return { sample, sets }
}

/** Returns a random sample of sets, the same ones each time. */
async function findSampleSets(db: Database, count: number): Promise<string[]> {
  const rows = await db
    .selectFrom('catalog.set')
    .select('set_number')
    .orderBy(sql`md5(set_number)`)
    .limit(count)
    .execute()
  return rows.map((row) => row.set_number)
}
