import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findAccuracy, findDaysBehindSimpleMethod, findWorstItems } from '../../src/market/values/accuracy-queries.ts'
import { measureAccuracy } from '../../src/market/values/accuracy-commands.ts'
import { finalizeDueMonths } from '../../src/market/values/month-finalization-commands.ts'
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

const figuresOf = async (groupedBy: string, name: string) =>
  (await findAccuracy(market.superuserDb)).find((row) => row.grouped_by === groupedBy && row.name === name)!

test('compares each week of the last 90 days with the next sale, by tier and theme too', async () => {
  const all = await figuresOf('all', 'all')
  // Six sets in thirteen weeks; all of them are sold again within 30 days, but not after the last day.
  expect(all).toMatchObject({ day: '2026-01-20', condition: 'sealed', sales: 78 })
  expect((await figuresOf('theme', 'Harbor')).sales).toBe(52)
  expect(await figuresOf('theme', 'Canyon')).toBeUndefined()
  expect((await figuresOf('tier', 'market')).sales).toBeGreaterThanOrEqual(30)
})

test('the figures are plausible and agree with each other', async () => {
  const all = await figuresOf('all', 'all')
  // Prices are spread evenly within 12 % of the value.
  expect(all.median_error_pct).toBeGreaterThan(1)
  expect(all.median_error_pct).toBeLessThan(12)
  expect(all.within_5_pct).toBeLessThanOrEqual(all.within_10_pct)
  expect(all.within_10_pct).toBeLessThanOrEqual(all.within_20_pct)
  expect(all.coverage_pct).toBeGreaterThan(65)
  expect(all.width_pct).toBeGreaterThan(10)
  expect(all.doubtful_pct).toBe(0)
  // The next sale follows a wave, so the best of the simple methods has a similar error.
  expect(all.simple_error_pct! / all.median_error_pct).toBeGreaterThan(0.6)
})

test('lists the worst sets for the operator', async () => {
  const worst = await findWorstItems(market.superuserDb)
  expect(worst).toHaveLength(6)
  const gaps = worst.map(({ error_pct, simple_error_pct }) => error_pct - simple_error_pct)
  expect(gaps).toEqual(gaps.toSorted((a, b) => b - a))
})

describe('days behind a simple method', () => {
  const NONE = { sales: 30, within_5_pct: 0, within_10_pct: 0, within_20_pct: 0 }
  const insert = (rows: { day: string; ours: number; simple: number; condition?: string }[]) =>
    market.superuserDb
      .insertInto('market.accuracy')
      .values(
        rows.map(({ day, ours, simple, condition = 'used' }) => ({
          ...NONE,
          day,
          condition,
          grouped_by: 'all',
          name: 'all',
          median_error_pct: ours,
          simple_error_pct: simple,
        })),
      )
      .execute()

  test('counts the last days in a row', async () => {
    await market.superuserDb.deleteFrom('market.accuracy').execute()
    expect(await findDaysBehindSimpleMethod(market.superuserDb)).toBe(0)
    await insert([
      { day: '2026-01-01', ours: 9, simple: 8 },
      { day: '2026-01-02', ours: 8, simple: 8 },
      { day: '2026-01-03', ours: 9, simple: 8 },
      { day: '2026-01-04', ours: 9, simple: 8 },
      { day: '2026-01-04', ours: 7, simple: 8, condition: 'sealed' },
    ])
    expect(await findDaysBehindSimpleMethod(market.superuserDb)).toBe(2)
    await insert([{ day: '2026-01-05', ours: 7, simple: 8 }])
    expect(await findDaysBehindSimpleMethod(market.superuserDb)).toBe(0)
    await measureAccuracy(market)
  })
})

test('the tiers add up to all sales', async () => {
  const figures = await findAccuracy(market.superuserDb)
  const tiers = figures.filter((row) => row.grouped_by === 'tier')
  const all = figures.find((row) => row.grouped_by === 'all')!
  // Groups of fewer than 30 sales have no row.
  const sum = tiers.reduce((sum, row) => sum + row.sales, 0)
  expect(sum).toBeGreaterThan(all.sales - 30)
  expect(sum).toBeLessThanOrEqual(all.sales)
})

test('measuring twice a day gives the same rows, and groups of fewer than 30 sales have none', async () => {
  const before = await findAccuracy(market.superuserDb)
  expect(await measureAccuracy(market)).toEqual({ groups: before.length })
  expect(await findAccuracy(market.superuserDb)).toEqual(before)
  expect(before.every((row) => row.sales >= 30)).toBe(true)
})
