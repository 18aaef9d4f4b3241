import { utcDayOf, formatDay } from '@brickmark/core/primitives/calendar'
import { elementAt, randomStream, type Random } from './random.ts'
import type { RetailObservationRow, RetailStateRow, SaleObservationRow, SetRow, ValuePath } from './types.ts'

const ROWS = 200
const SELLERS = 40
const NOISE = { sealed: 0.085, used: 0.15 }

/** The only source of the demo data, with its license. */
export const DEMO_SOURCE = { id: 'demo', name: 'Invented market', license_id: 'demo' }
export const DEMO_LICENSE = {
  id: 'demo',
  terms: 'Invented rows for demonstration and test: free of any right.',
}

/** Generates licensed sale rows. References start with CANARY-, so that leaks can be searched for. */
export function generateSaleObservations(
  seed: number,
  sets: SetRow[],
  paths: Map<string, ValuePath>,
  today: Date,
): SaleObservationRow[] {
  const random = randomStream(seed, 'sale observations')
  const sellers = Array.from({ length: SELLERS }, () => canary(random))
  const sold = sets.filter((set) => paths.has(set.set_number))
  return Array.from({ length: ROWS }, () => {
    const { set_number } = random.pick(sold)
    const condition = random.chance(0.65) ? 'sealed' : 'used'
    const truth = paths.get(set_number)?.[condition] ?? []
    const price = elementAt(truth, truth.length - 1) * Math.exp(NOISE[condition] * random.studentT4())
    const soldDay = utcDayOf(today) - random.int(1, 25)
    return {
      source_id: DEMO_SOURCE.id,
      event_id: canary(random),
      license_id: DEMO_LICENSE.id,
      item_kind: 'set' as const,
      item_number: set_number,
      condition,
      sold_on: formatDay(soldDay),
      unit_price_cents: Math.max(1, Math.round(price)),
      currency: 'USD' as const,
      fx_rate: '1' as const,
      quantity: random.chance(0.95) ? 1 : random.int(2, 4),
      seller_ref: elementAt(sellers, random.zipf(SELLERS)),
      buyer_ref: canary(random),
      known_on: formatDay(soldDay),
    }
  })
}

/** Generates price observations: the latest one of a random sample of retail states. */
export function generateRetailObservations(seed: number, states: RetailStateRow[]): RetailObservationRow[] {
  const random = randomStream(seed, 'retail observations')
  return random
    .shuffle(states)
    .slice(0, ROWS)
    .map((state) => ({
      source_id: DEMO_SOURCE.id,
      event_id: canary(random),
      license_id: DEMO_LICENSE.id,
      retailer: state.retailer,
      product_id: state.product_url.slice(state.product_url.lastIndexOf('/') + 1),
      observed_at: state.last_checked_at,
      price_cents: state.price_cents,
      list_price_cents: state.list_price_cents,
      seller_type: state.seller_type,
      in_stock: state.in_stock,
    }))
}

function canary(random: Random): string {
  return `CANARY-${random.hex(16)}`
}
