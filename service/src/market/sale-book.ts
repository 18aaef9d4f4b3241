import type { Database } from '../db/database.ts'
import { unpackIntegers } from '../db/packed.ts'
import {
  findNewestSales,
  findSales,
  PACKED_FIELDS,
  type ItemKind,
  type PackedSales,
} from '../db/read/sale-observation.ts'
import type { Condition } from '../domain/portfolio.ts'
import { MOST_SALES, WINDOW_DAYS, type SaleObservation } from '../domain/valuation/usable-sales.ts'

const ITEMS_A_QUERY = 500
const FLAGS = [null, 'lot', 'parts_only', 'unknown_offer'] as const

/** Sales in memory, packed: 40 bytes each, so that ten million take 400 MB and many months can be computed from one read. */
export class SaleBook {
  readonly #sales = new Map<string, Int32Array>()

  /** Reads all sales of these items since a day. */
  static async read(db: Database, kind: ItemKind, numbers: string[], since: number): Promise<SaleBook> {
    return SaleBook.#fill(numbers, (some) => findSales(db, kind, some, since), unpackIntegers)
  }

  /** Reads what the values of these items on a day rest on; who else the parties deal with only if it is asked for. */
  static async readNewest(
    db: Database,
    kind: ItemKind,
    numbers: string[],
    { asOf, parties }: { asOf: number; parties: boolean },
  ): Promise<SaleBook> {
    const limits = { since: asOf - WINDOW_DAYS + 1, most: MOST_SALES, parties }
    return SaleBook.#fill(numbers, (some) => findNewestSales(db, kind, some, limits), unpackNewestFirst)
  }

  static async #fill(
    numbers: string[],
    find: (some: string[]) => Promise<PackedSales[]>,
    unpack: (packed: Buffer) => Int32Array,
  ): Promise<SaleBook> {
    const book = new SaleBook()
    for (let first = 0; first < numbers.length; first += ITEMS_A_QUERY) {
      for (const { item_number, condition, packed } of await find(numbers.slice(first, first + ITEMS_A_QUERY)))
        book.#sales.set(keyOf(item_number, condition), unpack(packed))
    }
    return book
  }

  /** What was known on `knownOn` of the sales up to `asOf`, as far back as they count. */
  salesOf(number: string, condition: Condition, asOf: number, knownOn: number): SaleObservation[] {
    const packed = this.#sales.get(keyOf(number, condition))
    const sales: SaleObservation[] = []
    for (let at = 0; packed && at < packed.length; at += PACKED_FIELDS) {
      if (packed[at]! > asOf) break
      if (packed[at]! <= asOf - WINDOW_DAYS || packed[at + 6]! > knownOn) continue
      sales.push({
        id: String(at),
        day: packed[at]!,
        unitCents: packed[at + 1]!,
        quantity: packed[at + 2]!,
        seller: refOf(packed[at + 3]!),
        buyer: refOf(packed[at + 4]!),
        flag: FLAGS[packed[at + 5]!] ?? null,
        returned: packed[at + 7]! <= knownOn,
        sellerKnown: packed[at + 8]! <= knownOn,
        buyerKnown: packed[at + 9]! <= knownOn,
      })
    }
    return sales
  }
}

// Turned around: the book is read from the oldest sale on.
function unpackNewestFirst(packed: Buffer): Int32Array {
  const integers = unpackIntegers(packed)
  const turned = new Int32Array(integers.length)
  for (let at = 0; at < integers.length; at += PACKED_FIELDS)
    turned.set(integers.subarray(at, at + PACKED_FIELDS), integers.length - at - PACKED_FIELDS)
  return turned
}

function keyOf(number: string, condition: Condition): string {
  return `${condition} ${number}`
}

function refOf(hash: number): string | null {
  return hash === 0 ? null : String(hash)
}
