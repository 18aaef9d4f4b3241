import type { Database } from '../../db/database.ts'
import { decodeInt32s } from '../../primitives/packed.ts'
import { findLatestMarketSales, findMarketSales } from '../../source/market-sale-queries.ts'
import { type ItemKind, PACKED_FIELDS, type PackedMarketSales } from '../../source/market-sale.ts'
import { SaleStore } from './sale-store.ts'
import { MAX_SALES_READ, WINDOW_DAYS } from '../valuation/usable-sales.ts'

/** Yields items with their sales in the window that ends on a day. */
export type SaleReader = <T>(
  kind: ItemKind,
  items: readonly T[],
  numberOf: (item: T) => string,
  asOf: number,
) => AsyncIterable<{ items: readonly T[]; store: SaleStore }>

const ITEMS_PER_BATCH = 100

/** Reads items in small batches, so that the sales of all items are never in memory together. */
export function createBatchReader(db: Database): SaleReader {
  return async function* (kind, all, numberOf, asOf) {
    for (let first = 0; first < all.length; first += ITEMS_PER_BATCH) {
      const items = all.slice(first, first + ITEMS_PER_BATCH)
      const rows = await findMarketSales(db, kind, items.map(numberOf), windowUntil(asOf))
      yield { items, store: toStore(rows) }
    }
  }
}

/** Reads all sales once, for valuations on any day from the first to the last. */
export async function createMemoryReader(db: Database, days: { first: number; last: number }): Promise<SaleReader> {
  const range = { since: windowUntil(days.first).since, until: days.last }
  const stores = {
    set: toStore(await findMarketSales(db, 'set', undefined, range)),
    minifig: toStore(await findMarketSales(db, 'minifig', undefined, range)),
  }
  return async function* (kind, items) {
    yield { items, store: stores[kind] }
  }
}

function windowUntil(asOf: number): { since: number; until: number } {
  return { since: asOf - WINDOW_DAYS + 1, until: asOf }
}

function toStore(rows: PackedMarketSales[]): SaleStore {
  const store = new SaleStore()
  for (const { item_number, condition, packed } of rows) store.add(item_number, condition, decodeInt32s(packed))
  return store
}

const ITEMS_PER_QUERY = 500

/** Loads the latest sales these items are valued on as of a day; trader history only if `withTraders` is set. */
export async function readNewestSales(
  db: Database,
  kind: ItemKind,
  numbers: string[],
  { asOf, withTraders }: { asOf: number; withTraders: boolean },
): Promise<SaleStore> {
  const limits = { since: windowUntil(asOf).since, limit: MAX_SALES_READ, withTraders }
  const store = new SaleStore()
  for (let first = 0; first < numbers.length; first += ITEMS_PER_QUERY) {
    const batch = numbers.slice(first, first + ITEMS_PER_QUERY)
    for (const { item_number, condition, packed } of await findLatestMarketSales(db, kind, batch, limits))
      store.add(item_number, condition, unpackNewestFirst(packed))
  }
  return store
}

/** Decodes sales and reverses them: the store keeps the oldest sale first. */
function unpackNewestFirst(packed: Buffer): Int32Array {
  const newestFirst = decodeInt32s(packed)
  const oldestFirst = new Int32Array(newestFirst.length)
  for (let offset = 0; offset < newestFirst.length; offset += PACKED_FIELDS)
    oldestFirst.set(newestFirst.subarray(offset, offset + PACKED_FIELDS), newestFirst.length - offset - PACKED_FIELDS)
  return oldestFirst
}
