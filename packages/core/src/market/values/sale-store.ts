import { PACKED_FIELDS } from '../../source/market-sale.ts'
import type { Condition } from '../../catalog/condition.ts'
import { WINDOW_DAYS, type MarketSale } from '../valuation/usable-sales.ts'

const FLAGS = [null, 'lot', 'parts_only', 'unknown_offer'] as const

/** In-memory sales, packed to 40 bytes each. */
export class SaleStore {
  readonly #sales = new Map<string, Int32Array>()

  /** Adds the packed sales of one item in one condition, oldest first. */
  add(number: string, condition: string, sales: Int32Array): void {
    this.#sales.set(keyOf(number, condition), sales)
  }

  /** Returns the sales in the window that ends on `asOf`, as known on `knownOn`. */
  salesOf(number: string, condition: Condition, asOf: number, knownOn: number): MarketSale[] {
    const packed = this.#sales.get(keyOf(number, condition))
    const sales: MarketSale[] = []
    for (let offset = 0; packed && offset < packed.length; offset += PACKED_FIELDS) {
      if (packed[offset]! > asOf) break
      if (packed[offset]! <= asOf - WINDOW_DAYS || packed[offset + 6]! > knownOn) continue
      sales.push({
        id: String(offset),
        day: packed[offset]!,
        unitCents: packed[offset + 1]!,
        quantity: packed[offset + 2]!,
        seller: toRef(packed[offset + 3]!),
        buyer: toRef(packed[offset + 4]!),
        flag: FLAGS[packed[offset + 5]!] ?? null,
        returned: packed[offset + 7]! <= knownOn,
        sellerEstablished: packed[offset + 8]! <= knownOn,
        buyerEstablished: packed[offset + 9]! <= knownOn,
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
