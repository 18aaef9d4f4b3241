import { afterAll, beforeAll, expect, test } from 'vitest'
import { walkForward } from '@brickmark/core/market/backtest/walk-forward'
import { loadSalesMarket } from '@brickmark/core/market/backtest/sales-market-queries'
import { queueAllItems } from '../../src/market/values/valuation-queue-commands.ts'
import { fitGrowth } from '../../src/market/values/growth-fit-commands.ts'
import { finalizeDueMonths } from '../../src/market/values/month-finalization-commands.ts'
import { recomputeDirty } from '../../src/market/values/recompute-commands.ts'
import { CONDITIONS } from '@brickmark/core/catalog/condition'
import { dayNumber, formatDay } from '@brickmark/core/primitives/calendar'
import { saleRow, startTestMarket, toCsv, type TestMarket } from '@brickmark/tests/support/market'

const FIRST_DAY = dayNumber('2025-06-03')
const DAYS = ['2025-07-20', '2025-09-07', '2025-09-08', '2025-11-30', '2026-01-15'].map(dayNumber)

let market: TestMarket

/** A number from 0 to 1; the same on every machine. */
function noise(seed: number): number {
  return (Math.imul(Math.imul(seed + 1, 0x9e3779b1) ^ (seed << 7), 0x85ebca6b) >>> 0) / 2 ** 32
}

const sets = Array.from({ length: 24 }, (_, index) => ({
  record: 'set',
  set_number: `9070${String(index).padStart(2, '0')}-1`,
  title: `Set ${index}`,
  theme: index % 3 === 0 ? 'Harbor' : 'Canyon',
  msrp_usd: '50.00',
  // Some are released during the test, one of them after its first sale.
  release_date: index % 5 === 0 ? '2025-09-01' : '2023-01-01',
}))

/** Sales of 24 sets at different rates and price levels, some known only weeks later. */
const sales = sets.flatMap(({ set_number, release_date }, index) => {
  const rows: { row: ReturnType<typeof saleRow>; known: number }[] = []
  const first = index === 0 ? FIRST_DAY : Math.max(FIRST_DAY, dayNumber(release_date))
  for (let n = 0, day = first; day <= DAYS.at(-1)!; n++) {
    const seed = 1000 * index + n
    const condition = n % 3 === 0 ? 'used' : 'sealed'
    const known = day + (noise(seed + 500) < 0.1 ? 20 : 0)
    const level = 40 * Math.exp(0.15 * (index % 7)) * (condition === 'used' ? 0.6 : 1) * (index === 7 ? 4 : 1)
    rows.push({
      row: saleRow({
        event_id: `${set_number} ${n}`,
        set_number,
        condition,
        sold_on: formatDay(day),
        known_on: formatDay(known),
        price: (level * Math.exp(0.3 * (noise(seed) - 0.5))).toFixed(2),
        seller: index === 7 ? `new ${n % 2}` : `seller ${Math.floor(15 * noise(seed + 100))}`,
        buyer: `buyer ${seed}`,
      }),
      known,
    })
    day += 1 + Math.floor((1 + index) * noise(seed + 200))
  }
  return rows
})

beforeAll(async () => {
  market = await startTestMarket()
  await market.ingest('catalog', toCsv(sets))
})
afterAll(() => market.stop())

test('published values equal those of the pure functions on what was known by then', async () => {
  const published = new Map<string, object>()
  let before = -Infinity
  for (const day of DAYS) {
    const arrived = sales.filter(({ known }) => known > before && known <= day).map(({ row }) => row)
    await market.ingest('sales', toCsv(arrived))
    before = day
    market.setNow(`${formatDay(day)}T12:00:00Z`)
    await finalizeDueMonths(market)
    await fitGrowth(market)
    await queueAllItems(market.db)
    await recomputeDirty(market)
    for (const row of await market.superuserDb.selectFrom('market.set_value').selectAll().execute())
      published.set(`${day} ${row.set_number} ${row.condition}`, {
        valueCents: row.value_cents,
        lowCents: row.range_low_cents,
        highCents: row.range_high_cents,
        tier: row.data_tier,
        doubtful: row.doubtful,
      })
  }
  const computed = new Map<string, object>()
  for (const { day, values } of walkForward(await loadSalesMarket(market.db, 100, DAYS.at(-1)!), DAYS))
    for (const { set, valuation } of values)
      for (const condition of CONDITIONS) {
        const { valueCents, lowCents, highCents, tier, doubtful } = valuation[condition]
        computed.set(`${day} ${set.set_number} ${condition}`, { valueCents, lowCents, highCents, tier, doubtful })
      }
  expect(Object.fromEntries(published)).toEqual(Object.fromEntries(computed))
  const values = [...computed.values()] as { valueCents: number | null; tier: string; doubtful: boolean }[]
  expect(values.filter(({ valueCents }) => valueCents !== null).length).toBeGreaterThan(150)
  expect(new Set(values.map(({ tier }) => tier))).toEqual(new Set(['market', 'thin', 'modelled']))
  expect(values.some(({ doubtful }) => doubtful)).toBe(true)
})
