import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findRetailDays } from '../../src/market/retail/retail-day-queries.ts'
import { refreshRetail } from '../../src/market/retail/retail-refresh-commands.ts'
import { SaleStore } from '../../src/market/values/sale-store.ts'
import { toSetWithSales } from '../../src/market/values/set-sales.ts'
import { findSetAttributes } from '../../src/market/values/valuation-input-queries.ts'
import { dayNumber } from '@brickmark/core/primitives/calendar'
import { toCsv, startTestMarket, type TestMarket } from '@brickmark/tests/support/market'

/** Daily price changes for charts, as maintained by `refreshRetail`. */

let market: TestMarket

beforeAll(async () => {
  market = await startTestMarket()
  const product = { record: 'product', retailer: 'retailer_a' }
  await market.ingest(
    'catalog',
    toCsv(
      ['90001-1', '90002-1'].flatMap((set_number, index) => [
        { record: 'set', set_number, title: `Set ${set_number}`, theme: 'Harbor' },
        { ...product, set_number, product_id: `B0ABCD000${index}`, product_url: 'https://a.example/1' },
      ]),
    ),
  )
})
afterAll(() => market.stop())

let events = 0

async function observe(...list: [observed_at: string, price: string, seller_type: string][]): Promise<void> {
  const rows = list.map(([observed_at, price, seller_type]) => ({
    event_id: `e${++events}`,
    retailer: 'retailer_a',
    product_id: 'B0ABCD0000',
    observed_at,
    price,
    seller_type,
    in_stock: price === '' ? 'false' : 'true',
  }))
  await market.ingest('retail', toCsv(rows))
  while ((await refreshRetail(market)) > 0);
}

async function days(since = '2020-01-01'): Promise<string[]> {
  const rows = await findRetailDays(market.superuserDb, '90001-1', since)
  return rows.map((row) => `${row.day} ${row.price_cents ?? 'none'} ${row.seller_type ?? 'none'}`)
}

test('stores a row per day on which price or seller changed, with the state at the end of the day', async () => {
  await observe(
    ['2026-05-01T10:00:00Z', '80.00', 'retailer'],
    ['2026-05-01T20:00:00Z', '79.99', 'retailer'],
    ['2026-05-02T10:00:00Z', '79.99', 'retailer'],
  )
  expect(await days()).toEqual(['2026-05-01 7999 retailer'])
  await observe(['2026-05-05T10:00:00Z', '79.99', 'third_party'], ['2026-05-09T10:00:00Z', '', ''])
  // A later observation on the same day updates its row.
  await observe(['2026-05-09T20:00:00Z', '85.00', 'third_party'])
  expect(await days()).toEqual([
    '2026-05-01 7999 retailer',
    '2026-05-05 7999 third_party',
    '2026-05-09 8500 third_party',
  ])
})

test('a late observation rebuilds the days of its product', async () => {
  await observe(['2026-05-03T10:00:00Z', '60.00', 'retailer'])
  expect(await days()).toEqual([
    '2026-05-01 7999 retailer',
    '2026-05-03 6000 retailer',
    '2026-05-05 7999 third_party',
    '2026-05-09 8500 third_party',
  ])
})

test('findRetailDays includes the last change before `since`, which is still in effect', async () => {
  expect(await days('2026-05-04')).toEqual([
    '2026-05-03 6000 retailer',
    '2026-05-05 7999 third_party',
    '2026-05-09 8500 third_party',
  ])
  expect(await days('2026-06-01')).toEqual(['2026-05-09 8500 third_party'])
})

test('a product whose state predates daily tracking is rebuilt at the next observation', async () => {
  const before = await days()
  await sql`update source.retail_progress set progress = progress - 'tracksDailyChanges'`.execute(market.superuserDb)
  await sql`delete from market.retail_day`.execute(market.superuserDb)
  await observe(['2026-05-10T10:00:00Z', '85.00', 'third_party'])
  expect(await days()).toEqual(before)
  await observe(['2026-05-11T10:00:00Z', '86.00', 'third_party'])
  expect(await days()).toEqual([...before, '2026-05-11 8600 third_party'])
})

test('a value may depend on the lowest price at which a retailer itself sells the set', async () => {
  const priceOn = async (day: string) => {
    const [set] = await findSetAttributes(market.db, dayNumber(day), ['90001-1'])
    return set!.retail_cents
  }
  await sql`delete from market.retail_day`.execute(market.superuserDb)
  await sql`
    insert into market.retail_day (set_number, retailer, day, price_cents, seller_type) values
      ('90001-1', 'retailer_a', '2026-05-01', 8000, 'retailer'), ('90001-1', 'retailer_a', '2026-05-11', 7000, 'third_party'),
      ('90001-1', 'retailer_b', '2026-05-05', 7500, 'retailer'), ('90001-1', 'retailer_b', '2026-05-15', null, null)`.execute(
    market.superuserDb,
  )
  const days = ['2026-04-30', '2026-05-01', '2026-05-05', '2026-05-11', '2026-05-15']
  expect(await Promise.all(days.map(priceOn))).toEqual([null, 8000, 7500, 7500, null])
})

test('retired sets have no retail price', () => {
  const set = {
    set_number: '1-1',
    theme: 'Harbor',
    msrp_cents: 9000,
    retail_cents: 8000,
    release_date: null,
    release_year: null,
  }
  const retailCents = (retire_date: string | null) =>
    toSetWithSales({ ...set, retire_date }, new SaleStore(), dayNumber('2026-05-11'), 0).attributes.retailCents
  expect([null, '2026-05-12', '2026-05-11'].map(retailCents)).toEqual([8000, 8000, null])
})
