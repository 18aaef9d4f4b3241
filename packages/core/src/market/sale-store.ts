import { PACKED_FIELDS } from '../source/market-sale.ts'
import type { Condition } from '../catalog/condition.ts'
import { WINDOW_DAYS, type MarketSale } from './valuation/usable-sales.ts'

const FLAGS = [null, 'lot', 'parts_only', 'unknown_offer'] as const

/** Sales in memory, packed: 40 bytes each, so that ten million take 400 MB and many months can be computed from one read. */
export class SaleStore {
  readonly #sales = new Map<string, Int32Array>()

  /** Adds the sales of one item, oldest first. */
  add(number: string, condition: string, sales: Int32Array): void {
    this.#sales.set(keyOf(number, condition), sales)
  }

  /** What was known on `knownOn` of the sales up to `asOf`, as far back as they count. */
  salesOf(number: string, condition: Condition, asOf: number, knownOn: number): MarketSale[] {
    const packed = this.#sales.get(keyOf(number, condition))
    const sales: MarketSale[] = []
    for (let at = 0; packed && at < packed.length; at += PACKED_FIELDS) {
      if (packed[at]! > asOf) break
      if (packed[at]! <= asOf - WINDOW_DAYS || packed[at + 6]! > knownOn) continue
      sales.push({
        id: String(at),
        day: packed[at]!,
        unitCents: packed[at + 1]!,
        quantity: packed[at + 2]!,
        seller: toRef(packed[at + 3]!),
        buyer: toRef(packed[at + 4]!),
        flag: FLAGS[packed[at + 5]!] ?? null,
        returned: packed[at + 7]! <= knownOn,
        sellerEstablished: packed[at + 8]! <= knownOn,
        buyerEstablished: packed[at + 9]! <= knownOn,
      })
    }
    return sales
  }
}

function keyOf(number: string, condition: string): string {
  return `${condition} ${number}`
}

function toRef(hash: number): string | null {
  return hash === 0 ? null : String(hash)
}
