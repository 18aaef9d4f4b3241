import type { Condition } from '../catalog/condition.ts'
import type { DataTier } from '../market/valuation/estimate.ts'

/** The reader of changes that applies alert rules. */
export const ALERT_READER = 'alerts'

/** What a retailer offers. `price` is in cents; null if unknown or sold out. */
export type RetailOffer = {
  price: number | null
  inStock: boolean | null
  sellerType: 'retailer' | 'third_party' | null
  lowest: number | null
}

/** A published value, in cents. */
export type PublishedValue = { value: number | null; tier: DataTier | null }

export type SetStatusName = 'upcoming' | 'available' | 'retiring_soon' | 'retired' | 'unknown'

type Item = { itemKind: 'set' | 'minifig'; itemNumber: string }

/**
 * A published change of an item. `before` is null if there was nothing before. `atUs` is `at` in microseconds, to compare it
 * exactly.
 */
export type Change = Item & { id: number; at: Date; atUs: number } & (
    | { kind: 'retail'; retailer: string; before: RetailOffer | null; after: RetailOffer; sealedValue: PublishedValue }
    | {
        kind: 'value'
        condition: Condition
        before: PublishedValue | null
        after: PublishedValue
        /** Prices of the retailers that have the set in stock. */
        offers: ReadonlyMap<string, number>
      }
    | { kind: 'status'; before: SetStatusName; after: SetStatusName }
  )
