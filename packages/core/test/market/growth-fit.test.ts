import { afterAll, beforeAll, expect, test } from 'vitest'
import { recomputeDirty } from '../../src/market/values/recompute-commands.ts'
import { queueAllItems } from '../../src/market/values/valuation-queue-commands.ts'
import { fitGrowth } from '../../src/market/values/growth-fit-commands.ts'
import { findLatestGrowth } from '../../src/market/values/growth-fit-queries.ts'
import { dayNumber } from '@brickmark/core/primitives/calendar'
import { replacer } from '@brickmark/core/market/valuation/model-fit'
import { saleRow, startTestMarket, toCsv, type TestMarket } from '@brickmark/tests/support/market'

const TODAY = dayNumber('2026-06-01')

let market: TestMarket

beforeAll(async () => {
  market = await startTestMarket()
  market.setNow('2026-06-01T12:00:00Z')
  const set = { record: 'set', theme: 'Harbor', msrp_usd: '50.00', release_date: '2024-01-01' }
  const numbers = Array.from({ length: 30 }, (_, index) => `9030${String(index).padStart(2, '0')}-1`)
  await market.ingest('catalog', toCsv(numbers.map((set_number) => ({ ...set, set_number, title: set_number }))))
  // Every set sells once a week, for 20 cents more each week.
  const sales = numbers.flatMap((set_number, index) =>
    Array.from({ length: 40 }, (_, week) => {
      const day = new Date((TODAY - 7 * week) * 86_400_000).toISOString().slice(0, 10)
      return saleRow({
        event_id: `${set_number} ${week}`,
        set_number,
        sold_on: day,
        price: (48 - 0.2 * week + 0.1 * (index % 5)).toFixed(2),
        seller: `seller ${(index + week) % 17}`,
        buyer: `buyer ${index} ${week}`,
      })
    }),
  )
  await market.ingest('sales', toCsv(sales))
})
afterAll(() => market.stop())

test('fits the growth of the market up to today and replaces that of an earlier run', async () => {
  expect(await fitGrowth(market)).toEqual({ sets: 30 })
  expect(await fitGrowth(market)).toEqual({ sets: 30 })
  const growth = (await findLatestGrowth(market.db))!
  expect(growth.asOf).toBe(TODAY)
  expect(growth.byStage.get('available')).toBeGreaterThan(0)
  const rows = await market.db.selectFrom('source.growth_fit').select('fitted_on').execute()
  expect(rows).toEqual([{ fitted_on: '2026-06-01' }])
})

test('keeps ten days', async () => {
  await market.db
    .insertInto('source.growth_fit')
    .values([
      { fitted_on: '2026-05-22', growth: '{}' },
      { fitted_on: '2026-05-23', growth: '{}' },
    ])
    .execute()
  await fitGrowth(market)
  const rows = await market.db.selectFrom('source.growth_fit').select('fitted_on').orderBy('fitted_on').execute()
  expect(rows.map((row) => row.fitted_on)).toEqual(['2026-05-23', '2026-06-01'])
})

test('live values use the latest growth', async () => {
  const growth = (await findLatestGrowth(market.db))!
  const values = async () => {
    await queueAllItems(market.db)
    await recomputeDirty(market)
    const rows = await market.db
      .selectFrom('market.set_value')
      .select('value_cents')
      .where('condition', '=', 'sealed')
      .execute()
    return rows.reduce((sum, row) => sum + row.value_cents!, 0) / rows.length
  }
  const before = await values()
  const faster = { ...growth, byStage: new Map([['available', 0.002]]) }
  await market.db
    .updateTable('source.growth_fit')
    .set({ growth: JSON.stringify(faster, replacer) })
    .where('fitted_on', '=', '2026-06-01')
    .execute()
  expect(await values()).toBeGreaterThan(before * 1.01)
})
