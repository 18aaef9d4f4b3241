import { afterAll, beforeAll, expect, test } from 'vitest'
import { recomputeDirty } from '../../src/market/values/recompute-commands.ts'
import { loadSets } from '../../src/market/values/set-record-queries.ts'
import { dayNumber } from '@brickmark/core/primitives/calendar'
import { saleRow, startTestMarket, toCsv, type TestMarket } from '@brickmark/tests/support/market'

const TODAY = dayNumber('2026-06-01')

let market: TestMarket

beforeAll(async () => {
  market = await startTestMarket()
  market.setNow('2026-06-01T12:00:00Z')
  const set = { record: 'set', theme: 'Harbor', msrp_usd: '50.00', release_date: '2024-01-01' }
  await market.ingest(
    'catalog',
    toCsv(['904001-1', '904002-1'].map((set_number) => ({ ...set, set_number, title: set_number }))),
  )
  const sale = (set_number: string, condition: string, index: number) => {
    const day = new Date((TODAY - 3 - 4 * index) * 86_400_000).toISOString().slice(0, 10)
    return saleRow({
      event_id: `${set_number} ${condition} ${index}`,
      set_number,
      condition,
      sold_on: day,
      price: '50.00',
      seller: `seller ${index}`,
      buyer: `buyer ${index}`,
    })
  }
  await market.ingest(
    'sales',
    toCsv([
      ...Array.from({ length: 20 }, (_, index) => sale('904001-1', 'sealed', index)),
      ...Array.from({ length: 2 }, (_, index) => sale('904001-1', 'used', index)),
    ]),
  )
  await recomputeDirty(market)
})
afterAll(() => market.stop())

test('a market value comes with its evidence', async () => {
  const [set] = await loadSets(market.db, ['904001-1'])
  expect(set!.sealed).toMatchObject({
    tier: 'market',
    doubtful: false,
    evidence: { effective_sales: 16, sellers: 20, last_sold_on: '2026-05-29' },
  })
})

test('a value of few sales comes without: it would describe single sales', async () => {
  const [set, unsold] = await loadSets(market.db, ['904001-1', '904002-1'])
  expect(set!.used).toMatchObject({ tier: 'thin', evidence: null })
  expect(unsold!.sealed?.evidence ?? null).toBeNull()
})

test('the database rejects evidence of values that are not `market`', async () => {
  const update = market.db
    .updateTable('market.set_value')
    .set({ sellers: 1 })
    .where('set_number', '=', '904001-1')
    .where('condition', '=', 'used')
    .execute()
  await expect(update).rejects.toThrow('evidence_of_market_values')
})
