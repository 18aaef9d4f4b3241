import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findAccuracy } from '@brickmark/core/market/accuracy-queries'
import { measureAccuracy } from '@brickmark/core/market/accuracy-commands'
import { finalizeDueMonths } from '@brickmark/core/market/month-finalization-commands'
import { saleRow, startTestMarket, toCsv, type TestMarket } from '@brickmark/tests/support/market'

const NOW = '2026-01-20T03:00:00Z'

let market: TestMarket

/** Six sets in two themes, sold every three days for a year; some rows are excluded or returned. */
beforeAll(async () => {
  market = await startTestMarket()
  const sets = Array.from({ length: 6 }, (_, index) => ({
    record: 'set',
    set_number: `90600${index}-1`,
    title: `Set ${index}`,
    theme: index < 4 ? 'Harbor' : 'Canyon',
    msrp_usd: '50.00',
    release_date: '2022-01-01',
  }))
  await market.ingest('catalog', toCsv(sets))
  const sales = sets.flatMap(({ set_number }, index) =>
    Array.from({ length: 128 }, (_, n) => {
      const day = new Date(Date.UTC(2025, 0, 2 + 3 * n)).toISOString().slice(0, 10)
      return saleRow({
        event_id: `${set_number} ${n}`,
        set_number,
        sold_on: day,
        price: ((60 + index) * (1 + 0.12 * Math.sin(n * 2.1 + index))).toFixed(2),
        seller: `seller ${(n + index) % 13}`,
        buyer: `buyer ${index} ${n}`,
        ...(n % 20 === 0 && { kind: 'lot' }),
      })
    }),
  )
  await market.ingest('sales', toCsv(sales))
  const returned = [110, 115].map((n) => ({
    event_id: `906000-1 ${n}`,
    returned_on: '2026-01-15',
    known_on: '2026-01-15',
  }))
  await market.ingest('returns', toCsv(returned))
  market.setNow(NOW)
  await finalizeDueMonths(market)
  await measureAccuracy(market)
})
afterAll(() => market.stop())

/** The same comparison, sale by sale, in TypeScript. */
async function recompute(theme?: string) {
  const { rows: sales } = await sql<{ item_number: string; sold_on: string; cents: number; theme: string }>`
    select o.item_number, o.sold_on, o.unit_price_cents as cents, s.theme
      from source.sale_observation o join catalog.set s on s.set_number = o.item_number
     where o.exclusion_reason is null
       and not exists (select from source.sale_return r where r.event_id = o.event_id)`.execute(market.superuserDb)
  const { rows: values } = await sql<{ item_number: string; month: string; value_cents: number }>`
    select item_number, month, value_cents from source.month_valuation where condition = 'sealed'`.execute(
    market.superuserDb,
  )
  const valueOf = new Map(values.map((row) => [`${row.item_number} ${row.month.slice(0, 7)}`, row.value_cents]))
  const since = Date.parse(NOW.slice(0, 10)) - 90 * 86_400_000
  const errors = sales
    .filter((sale) => Date.parse(sale.sold_on) > since && (theme === undefined || sale.theme === theme))
    .map((sale) => {
      const [year, month, day] = sale.sold_on.split('-').map(Number) as [number, number, number]
      // On the 8th, the month before is finalized; until then, the one before that.
      const finalized = new Date(Date.UTC(year, month - 1 - (day >= 8 ? 1 : 2), 1)).toISOString().slice(0, 7)
      return Math.abs(valueOf.get(`${sale.item_number} ${finalized}`)! / sale.cents - 1)
    })
    .sort((a, b) => a - b)
  const middle = errors.length >> 1
  const median = errors.length % 2 === 1 ? errors[middle]! : (errors[middle - 1]! + errors[middle]!) / 2
  const within = (limit: number) => (100 * errors.filter((error) => error <= limit).length) / errors.length
  return { sales: errors.length, median: 100 * median, within: [within(0.05), within(0.1), within(0.2)] }
}

test.each([
  ['all', 'all', undefined],
  ['theme', 'Harbor', 'Harbor'],
  ['theme', 'Canyon', 'Canyon'],
])('the figures of %s %s equal a comparison sale by sale', async (groupedBy, name, theme) => {
  const figures = await findAccuracy(market.superuserDb)
  const row = figures.find((one) => one.grouped_by === groupedBy && one.name === name)!
  const expected = await recompute(theme)
  expect(row).toMatchObject({ day: '2026-01-20', condition: 'sealed', sales: expected.sales })
  expect(row.median_error_pct).toBeCloseTo(expected.median, 6)
  for (const [index, share] of [row.within_5_pct, row.within_10_pct, row.within_20_pct].entries())
    expect(share).toBeCloseTo(expected.within[index]!, 6)
  expect(expected.within[0]).toBeLessThan(expected.within[1]!)
})

test('the tiers add up to all sales', async () => {
  const figures = await findAccuracy(market.superuserDb)
  const tiers = figures.filter((row) => row.grouped_by === 'tier')
  const all = figures.find((row) => row.grouped_by === 'all')!
  expect(tiers.reduce((sum, row) => sum + row.sales, 0)).toBe(all.sales)
})

test('measuring twice a day gives the same rows, and groups of fewer than 30 sales have none', async () => {
  const before = await findAccuracy(market.superuserDb)
  expect(await measureAccuracy(market)).toEqual({ groups: before.length })
  expect(await findAccuracy(market.superuserDb)).toEqual(before)
  expect(before.every((row) => row.sales >= 30)).toBe(true)
})
