import type { Database } from '../db/database.ts'
import { unpackIntegers } from '../primitives/int32.ts'
import { findNewestSales, findSales } from '../source/market-sale-queries.ts'
import { type ItemKind, PACKED_FIELDS, type PackedSales } from '../source/market-sale.ts'
import { SaleBook } from './sale-store.ts'
import { MOST_SALES, WINDOW_DAYS } from './valuation/usable-sales.ts'

const ITEMS_PER_QUERY = 500

/** Reads all sales of these items since a day. */
export function readSales(db: Database, kind: ItemKind, numbers: string[], since: number): Promise<SaleBook> {
  return fillStore(numbers, (some) => findSales(db, kind, some, since), unpackIntegers)
}

/** Reads the sales that the values of these items on a day depend on. `parties`: also look up who else they trade with. */
export function readNewestSales(
  db: Database,
  kind: ItemKind,
  numbers: string[],
  { asOf, parties }: { asOf: number; parties: boolean },
): Promise<SaleBook> {
  const limits = { since: asOf - WINDOW_DAYS + 1, most: MOST_SALES, parties }
  return fillStore(numbers, (some) => findNewestSales(db, kind, some, limits), unpackNewestFirst)
}

async function fillStore(
  numbers: string[],
  find: (some: string[]) => Promise<PackedSales[]>,
  unpack: (packed: Buffer) => Int32Array,
): Promise<SaleBook> {
  const store = new SaleBook()
  for (let first = 0; first < numbers.length; first += ITEMS_PER_QUERY) {
    for (const { item_number, condition, packed } of await find(numbers.slice(first, first + ITEMS_PER_QUERY)))
      store.add(item_number, condition, unpack(packed))
  }
  return store
}

/** Reverses the order: the store keeps the oldest sale first. */
function unpackNewestFirst(packed: Buffer): Int32Array {
  const newestFirst = unpackIntegers(packed)
  const oldestFirst = new Int32Array(newestFirst.length)
  for (let offset = 0; offset < newestFirst.length; offset += PACKED_FIELDS)
    oldestFirst.set(newestFirst.subarray(offset, offset + PACKED_FIELDS), newestFirst.length - offset - PACKED_FIELDS)
  return oldestFirst
}
