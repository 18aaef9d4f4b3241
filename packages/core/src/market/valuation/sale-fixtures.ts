import { WINDOW_DAYS, type MarketSale } from './usable-sales.ts'

/** Test fixtures: the valuation day, and zero growth. */
export const TODAY = 20_000
export const NO_GROWTH = new Float64Array(WINDOW_DAYS + 1)

const NOISE = [0.02, -0.05, 0.09, -0.02, 0.05, -0.09, 0]

/** Creates an ordinary sale of one copy between a distinct seller and buyer, with overrides. */
export function sale(overrides: Partial<MarketSale> & { day: number; unitCents: number }): MarketSale {
  const id = overrides.id ?? `${overrides.day} ${overrides.unitCents} ${overrides.seller ?? ''}`
  return {
    id,
    quantity: 1,
    seller: `seller of ${id}`,
    buyer: `buyer of ${id}`,
    flag: null,
    returned: false,
    sellerEstablished: true,
    buyerEstablished: true,
    ...overrides,
  }
}

/** Creates `count` sales around a value, one every `every` days until `lastAge` days ago, by distinct sellers. */
export function regularSales(count: number, every: number, cents: number, lastAge = 0): MarketSale[] {
  return Array.from({ length: count }, (_, index) =>
    sale({
      day: TODAY - lastAge - index * every,
      unitCents: Math.round(cents * Math.exp(NOISE[index % NOISE.length]!)),
    }),
  )
}
