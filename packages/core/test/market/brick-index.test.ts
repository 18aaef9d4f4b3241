import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { finalizeDueMonths } from '../../src/market/values/month-finalization-commands.ts'
import { findBrickIndex } from '../../src/market/index/brick-index-queries.ts'
import { saleRow, startTestMarket, toCsv, type TestMarket } from '@brickmark/tests/support/market'

/** Fourteen retired sets in one theme and six in another, sold every five days for a year, slowly rising. */
const SETS = Array.from({ length: 20 }, (_, index) => ({
  record: 'set',
  set_number: `9050${String(index).padStart(2, '0')}-1`,
  title: `Set ${index}`,
  theme: index < 14 ? 'Harbor' : 'Canyon',
  msrp_usd: '50.00',
  release_date: '2022-01-01',
  retire_date: '2024-06-30',
}))

let market: TestMarket

beforeAll(async () => {
  market = await startTestMarket()
  await market.ingest('catalog', toCsv(SETS))
  const sales = SETS.flatMap(({ set_number }, index) =>
    Array.from({ length: 73 }, (_, n) => {
      const day = new Date(Date.UTC(2025, 0, 2 + 5 * n)).toISOString().slice(0, 10)
      const price = (60 + index) * (1 + 0.001 * n * (1 + (index % 4))) * (1 + 0.03 * Math.sin(n * 2.1 + index))
      return saleRow({
        event_id: `${set_number} ${n}`,
        set_number,
        sold_on: day,
        price: price.toFixed(2),
        seller: `seller ${(n + index) % 13}`,
        buyer: `buyer ${index} ${n}`,
      })
    }),
  )
  await market.ingest('sales', toCsv(sales))
  market.setNow('2026-01-10T03:00:00Z')
  await finalizeDueMonths(market)
})
afterAll(() => market.stop())

/** The index once more, by SQL over the finalized months. */
async function recompute(where: ReturnType<typeof sql>): Promise<number[]> {
  const { rows } = await sql<{ change: number | null }>`
    with change as (
      select b.month, ln(b.value_cents::float8 / a.value_cents) as change,
             row_number() over (partition by b.month order by ln(b.value_cents::float8 / a.value_cents)) as rank,
             count(*) over (partition by b.month) as sets
        from source.month_valuation a
        join source.month_valuation b
          on b.item_number = a.item_number and b.condition = a.condition and b.month = a.month + interval '1 month'
        join catalog.set s on s.set_number = a.item_number
       where a.condition = 'sealed' and a.data_tier in ('market', 'thin') and b.data_tier in ('market', 'thin') and ${where}
    )
    select avg(change) filter (where rank > floor(sets * 0.1) and rank <= sets - floor(sets * 0.1)) as change
      from change group by month order by month`.execute(market.superuserDb)
  const levels = [100]
  for (const { change } of rows) levels.push(levels.at(-1)! * Math.exp(change!))
  return levels
}

test('the index is the chained change of the sets’ values', async () => {
  const all = await findBrickIndex(market.superuserDb)
  const expected = await recompute(sql`true`)
  expect(all.map(({ level }) => level.toFixed(6))).toEqual(expected.map((level) => level.toFixed(6)))
  expect(all).toHaveLength(12)
  expect(all[0]).toEqual({ month: '2025-01', level: 100, low: 100, high: 100, sets: 20 })
  expect(all.at(-1)!.level).toBeGreaterThan(110)
  for (const { low, level, high } of all.slice(1)) expect(low < level && level < high).toBe(true)
})

test('a theme has an index of its own if it has ten retired sets', async () => {
  const harbor = await findBrickIndex(market.superuserDb, 'Harbor')
  const expected = await recompute(sql`s.theme = 'Harbor'`)
  expect(harbor.map(({ level }) => level.toFixed(6))).toEqual(expected.map((level) => level.toFixed(6)))
  expect(await findBrickIndex(market.superuserDb, 'Canyon')).toEqual([])
})

test('finalized months of the index never change', async () => {
  const before = await findBrickIndex(market.superuserDb)
  await finalizeDueMonths(market)
  expect(await findBrickIndex(market.superuserDb)).toEqual(before)
  await expect(sql`update market.brick_index set level = 1`.execute(market.db)).rejects.toThrow('permission denied')
})
