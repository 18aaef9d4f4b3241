import type { Database } from '../db/database.ts'
import { decodeInt32s } from '../primitives/int32.ts'
import { findLatestMarketSales, findMarketSales } from '../source/market-sale-queries.ts'
import { type ItemKind, PACKED_FIELDS, type PackedMarketSales } from '../source/market-sale.ts'
import { SaleStore } from './sale-store.ts'
import { MAX_SALES_READ, WINDOW_DAYS } from './valuation/usable-sales.ts'

const ITEMS_PER_QUERY = 500

/** Loads all sales of these items in the window that ends on a day. */
export function readSales(db: Database, kind: ItemKind, numbers: string[], asOf: number): Promise<SaleStore> {
  const days = { since: asOf - WINDOW_DAYS + 1, until: asOf }
  return fillStore(numbers, (batch) => findMarketSales(db, kind, batch, days), decodeInt32s)
}

const ITEMS_PER_BATCH = 100

/** Yields items in small batches with their sales, so that the sales of all items are never in memory together. */
export async function* readSalesInBatches<T>(
  db: Database,
  kind: ItemKind,
  items: readonly T[],
  numberOf: (item: T) => string,
  asOf: number,
): AsyncGenerator<{ items: T[]; store: SaleStore }> {
  for (let first = 0; first < items.length; first += ITEMS_PER_BATCH) {
    const batch = items.slice(first, first + ITEMS_PER_BATCH)
    yield { items: batch, store: await readSales(db, kind, batch.map(numberOf), asOf) }
  }
}

/** Loads the latest sales these items are valued on as of a day; trader history only if `withTraders` is set. */
export function readNewestSales(
  db: Database,
  kind: ItemKind,
  numbers: string[],
  { asOf, withTraders }: { asOf: number; withTraders: boolean },
): Promise<SaleStore> {
  const limits = { since: asOf - WINDOW_DAYS + 1, limit: MAX_SALES_READ, withTraders }
  return fillStore(numbers, (batch) => findLatestMarketSales(db, kind, batch, limits), unpackNewestFirst)
}

async function fillStore(
  numbers: string[],
  find: (batch: string[]) => Promise<PackedMarketSales[]>,
  unpack: (packed: Buffer) => Int32Array,
): Promise<SaleStore> {
  const store = new SaleStore()
  for (let first = 0; first < numbers.length; first += ITEMS_PER_QUERY) {
    for (const { item_number, condition, packed } of await find(numbers.slice(first, first + ITEMS_PER_QUERY)))
      store.add(item_number, condition, unpack(packed))
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
