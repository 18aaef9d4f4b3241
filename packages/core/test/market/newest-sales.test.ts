import { afterAll, beforeAll, expect, test } from 'vitest'
import { utcDayOf } from '@brickmark/core/primitives/calendar'
import { MAX_SALES, latestSales, type MarketSale } from '@brickmark/core/market/valuation/usable-sales'
import { createMemoryReader, readNewestSales } from '../../src/market/values/sale-store-queries.ts'
import { toCsv, startTestMarket, type TestMarket } from '@brickmark/tests/support/market'

const NUMBER = '902000-1'
const TODAY = utcDayOf(new Date('2026-06-01T12:00:00Z'))

let market: TestMarket

/**
 * Three sales per day for fifty days: some excluded, some returned, and every other trader also deals in another item.
 */
beforeAll(async () => {
  market = await startTestMarket()
  market.setNow('2026-06-01T12:00:00Z')
  const set = { record: 'set', theme: 'Harbor', msrp_usd: '50.00', release_date: '2025-01-01' }
  await market.ingest(
    'catalog',
    toCsv([NUMBER, '902001-1'].map((set_number) => ({ ...set, set_number, title: set_number }))),
  )
  const sales = Array.from({ length: 150 }, (_, n) => {
    const day = new Date((TODAY - Math.floor(n / 3)) * 86_400_000).toISOString().slice(0, 10)
    return {
      event_id: `e${n}`,
      set_number: n % 10 === 9 ? '902001-1' : NUMBER,
      condition: 'sealed',
      sold_on: day,
      known_on: day,
      price: (40 + (n % 17)).toFixed(2),
      currency: 'USD',
      quantity: n % 13 === 0 ? 2 : 1,
      seller: `seller ${n % 14}`,
      buyer: `buyer ${n % 31}`,
      ...(n % 19 === 0 && { kind: 'lot' }),
    }
  })
  await market.ingest('sales', toCsv(sales))
  const returned = [4, 40, 41].map((n) => ({ event_id: `e${n}`, returned_on: '2026-06-01', known_on: '2026-06-01' }))
  await market.ingest('returns', toCsv(returned))
})
afterAll(() => market.stop())

test.each([true, false])(
  'readNewestSales returns the sales the estimator would select (trader history: %s)',
  async (withTraders) => {
    const readSales = await createMemoryReader(market.db, { first: TODAY, last: TODAY })
    const [all] = await Array.fromAsync(readSales('set', [NUMBER], String, TODAY))
    const newest = await readNewestSales(market.db, 'set', [NUMBER], { asOf: TODAY, withTraders })
    const expected = latestSales(all!.store.salesOf(NUMBER, 'sealed', TODAY, TODAY), TODAY)
    expect(expected).toHaveLength(MAX_SALES)
    expect(latestSales(newest.salesOf(NUMBER, 'sealed', TODAY, TODAY), TODAY).map(withoutId)).toEqual(
      expected.map((sale) =>
        withoutId(withTraders ? sale : { ...sale, sellerEstablished: false, buyerEstablished: false }),
      ),
    )
  },
)

test('the fixture has established and new sellers', async () => {
  const store = await readNewestSales(market.db, 'set', [NUMBER], { asOf: TODAY, withTraders: true })
  const sales = store.salesOf(NUMBER, 'sealed', TODAY, TODAY)
  expect(new Set(sales.map((sale) => sale.sellerEstablished))).toEqual(new Set([true, false]))
})

/** Ids are indexes into the store, so they differ between reads. */
function withoutId({ id: _id, ...rest }: MarketSale): Omit<MarketSale, 'id'> {
  return rest
}
