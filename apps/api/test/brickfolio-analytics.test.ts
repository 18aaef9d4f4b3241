import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '@brickmark/core/db/database'
import { startTestApi, type TestApi } from '@brickmark/tests/support/api'
import {
  addCollection,
  addLot,
  addMonth,
  addSale,
  addSet,
  addValue,
  type TestAccount,
} from '@brickmark/tests/support/fixtures'

type Point = {
  date: string
  total_value_usd: number
  cost_basis_usd: number
  gain_loss_usd: number
  gain_loss_pct: number
}
type Analytics = { period: string; summary: Record<string, unknown>; value_history: Point[] }

let api: TestApi
let account: TestAccount
let corrected: number

const DAY_MS = 86_400_000
const now = new Date()
const today = Math.floor(now.getTime() / DAY_MS)
const date = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10)
const monthStart = (back: number) =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 10)
const monthEnd = (back: number) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back + 1, 0) / DAY_MS

async function seed(db: Database): Promise<void> {
  for (const set_number of ['100-1', '200-1', '300-1', '400-1', '500-1']) await addSet(db, { set_number })
  // 100-1 was always worth $100; 200-1 has a value only today; 300-1 has none; 400-1 has risen since the end of a
  // month.
  for (let back = 1; back <= 14; back++) await addMonth(db, { set_number: '100-1', month: monthStart(back) })
  await addValue(db, { set_number: '100-1', value_cents: 10000 })
  await addValue(db, { set_number: '200-1', value_cents: 4000, range_low_cents: 3000, range_high_cents: 5000 })
  await addMonth(db, { set_number: '400-1', month: monthStart(2), value_cents: 10000 })
  await addMonth(db, { set_number: '400-1', month: monthStart(1), value_cents: null })
  await addValue(db, { set_number: '400-1', value_cents: 20001, range_low_cents: 15000, range_high_cents: 25000 })
  // 500-1 lost its value: it has past values and no current one.
  await addMonth(db, { set_number: '500-1', month: monthStart(3), value_cents: 1000 })
  await addMonth(db, { set_number: '500-1', month: monthStart(2), value_cents: 1000 })
}

async function sell(account: TestAccount, lot_id: number, quantity: number, day: number): Promise<void> {
  const account_id = account.accountId
  const sale_id = await addSale(api.db, { account_id, set_number: '100-1', quantity, sale_date: date(day) })
  await api.db.insertInto('portfolio.sale_lot').values({ account_id, sale_id, lot_id, quantity }).execute()
}

async function hold(account: TestAccount, lots: { set_number: string; [column: string]: unknown }[]) {
  const collection_id = await addCollection(api.db, account.accountId)
  const ids: number[] = []
  for (const lot of lots) {
    ids.push(await addLot(api.db, { account_id: account.accountId, collection_id, ...lot }))
  }
  return ids
}

beforeAll(async () => {
  api = await startTestApi(seed)
  account = await api.createAccount()
  const [kept, sold] = await hold(account, [
    { set_number: '100-1', quantity: 1, purchase_price_cents: 6000, purchase_date: date(today - 700) },
    { set_number: '100-1', quantity: 0, purchase_price_cents: 5000, purchase_date: date(today - 25) },
    { set_number: '300-1', quantity: 2, purchase_price_cents: 1000, purchase_date: date(today - 100) },
    { set_number: '200-1', quantity: 1, purchase_price_cents: 0, purchase_date: date(today - 100) },
  ])
  // In another collection.
  const [recent] = await hold(account, [
    { set_number: '100-1', quantity: 1, purchase_price_cents: 11000, purchase_date: date(today - 5) },
  ])
  corrected = recent!
  await sell(account, kept!, 2, today - 10)
  await sell(account, sold!, 1, today - 20)
})
afterAll(() => api.stop())

const get = (query: string, caller = account) =>
  api.get<Analytics>(`/brickfolio/analytics${query && `?${query}`}`, caller)

const point = (day: number, value: number, cost: number, gain = value - cost): Point => ({
  date: date(day),
  total_value_usd: value,
  cost_basis_usd: cost,
  gain_loss_usd: gain,
  gain_loss_pct: cost === 0 ? 0 : Math.round((gain / cost) * 10_000) / 100,
})

/** What the holder held on a day: from the intervals for past days, from the current lots for today. */
function expected(day: number, recentFrom: number): Point {
  const kept = day < today - 10 ? 3 : 1
  const sold = day >= today - 25 && day < today - 20 ? 1 : 0
  const recent = day >= recentFrom ? 1 : 0
  const gift = day === today ? 40 : 0
  return point(day, 100 * (kept + sold + recent) + gift, 60 * kept + 50 * sold + 110 * recent)
}

const daily = (length: number) => Array.from({ length: length + 1 }, (_, index) => today - length + index)

test('200: includes units sold since in the history and excludes units without a value', async () => {
  const { data } = await get('period=30d')
  expect(data).toEqual({
    period: '30d',
    summary: {
      total_sets: 3,
      total_items: 5,
      total_cost_basis_usd: 170,
      total_current_value_usd: 240,
      unrealized_gain_loss_usd: 70,
      unrealized_gain_loss_pct: 41.18,
      top_gainer: { set_number: '100-1', title: 'Set 100-1', gain_pct: 66.67 },
      top_loser: { set_number: '100-1', title: 'Set 100-1', loss_pct: -9.09 },
    },
    value_history: daily(30).map((day) => expected(day, today - 5)),
  })
})

test('200: units of unknown cost and date have a value on every day, but no cost and no gain', async () => {
  const account = await api.createAccount()
  await hold(account, [
    { set_number: '100-1', quantity: 1, purchase_price_cents: 6000, purchase_date: date(today - 10) },
    { set_number: '100-1', quantity: 2, purchase_price_cents: null, purchase_date: null },
  ])
  const { data } = await get('period=30d', account)
  expect(data.summary).toMatchObject({
    total_items: 3,
    total_cost_basis_usd: 60,
    total_current_value_usd: 300,
    unrealized_gain_loss_usd: 40,
    unrealized_gain_loss_pct: 66.67,
  })
  expect(data.value_history[0]).toEqual(point(today - 30, 200, 0, 0))
  expect(data.value_history.at(-1)).toEqual(point(today, 300, 60, 40))
})

describe('periods', () => {
  test.each([
    ['period=30d', '30d', 31, 30, 1],
    ['period=90d', '90d', 91, 90, 1],
    ['period=1y', '1y', 54, 365, 7],
    ['', '1y', 54, 365, 7],
  ])('200: %j returns %s with %i points, the last one today', async (query, period, count, back, step) => {
    const { data } = await get(query)
    expect(data.period).toBe(period)
    const dates = data.value_history.map((entry) => entry.date)
    expect(dates).toHaveLength(count)
    expect([dates[0], dates[1], dates.at(-1)]).toEqual([date(today - back), date(today - back + step), date(today)])
    expect([...new Set(dates)].sort()).toEqual(dates)
    expect(data.value_history.at(-1)).toEqual({
      date: date(today),
      total_value_usd: data.summary['total_current_value_usd'],
      cost_basis_usd: data.summary['total_cost_basis_usd'],
      gain_loss_usd: data.summary['unrealized_gain_loss_usd'],
      gain_loss_pct: data.summary['unrealized_gain_loss_pct'],
    })
  })

  test.each(['period=', 'period=7d', 'period=1Y', 'period=30d&period=90d', 'period=30d%00', 'limit=1'])(
    '400: rejects %s and charges nothing',
    async (query) => {
      const before = await api.creditsUsed(account)
      const response = await get(query)
      expect([response.status, response.error.code]).toEqual([400, 'BadRequest'])
      expect(await api.creditsUsed(account)).toBe(before)
    },
  )
})

test('200: interpolates linearly between known values; there is none before the first', async () => {
  const account = await api.createAccount()
  await hold(account, [{ set_number: '400-1', quantity: 2, purchase_price_cents: 8000, purchase_date: '2020-01-01' }])
  const { data } = await get('period=90d', account)
  const from = monthEnd(2)
  expect(from).toBeGreaterThan(today - 90)
  const history = daily(90).map((day) => {
    if (day < from) return point(day, 0, 0)
    const cents = Math.round(10_000 + (10_001 * (day - from)) / (today - from))
    return { date: date(day), total_value_usd: (2 * cents) / 100, cost_basis_usd: 160 }
  })
  expect(data.value_history).toMatchObject(history)
  expect(data.value_history.at(-1)).toMatchObject({ total_value_usd: 400.02, gain_loss_usd: 240.02 })
})

test('200: counts a set that lost its value in the past but not today', async () => {
  const account = await api.createAccount()
  await hold(account, [{ set_number: '500-1', purchase_price_cents: 800, purchase_date: '2020-01-01' }])
  const { data } = await get('period=1y', account)
  expect(data.summary).toMatchObject({ total_sets: 1, total_items: 1, total_current_value_usd: 0, top_gainer: null })
  expect(data.value_history.at(-1)).toEqual(point(today, 0, 0))
  const { data: ninety } = await get('period=90d', account)
  const atEnd = ninety.value_history.find((entry) => entry.date === date(monthEnd(2)))
  expect(atEnd).toEqual(point(monthEnd(2), 10, 8))
  expect(ninety.value_history.find((entry) => entry.date === date(monthEnd(2) + 1))).toEqual(
    point(monthEnd(2) + 1, 0, 0),
  )
})

test('200: ranks top movers by percentage among lots of $5 or more; null if none gained or lost', async () => {
  const account = await api.createAccount()
  const [small] = await hold(account, [
    { set_number: '100-1', purchase_price_cents: 499 },
    { set_number: '400-1', quantity: 2, purchase_price_cents: 10000 },
    { set_number: '200-1', purchase_price_cents: 4000 },
    { set_number: '300-1', purchase_price_cents: 90000 },
  ])
  const { data } = await get('period=30d', account)
  expect(data.summary).toMatchObject({
    top_gainer: { set_number: '400-1', title: 'Set 400-1', gain_pct: 100.01 },
    top_loser: null,
  })
  await api.db.updateTable('portfolio.lot').set({ purchase_price_cents: 500 }).where('id', '=', small!).execute()
  expect((await get('period=30d', account)).data.summary).toMatchObject({
    top_gainer: { set_number: '100-1', title: 'Set 100-1', gain_pct: 1900 },
    top_loser: null,
  })
})

test('200: returns zeros, no movers and every point for an empty account', async () => {
  const { data } = await get('', await api.createAccount())
  expect(data.summary).toEqual({
    total_sets: 0,
    total_items: 0,
    total_cost_basis_usd: 0,
    total_current_value_usd: 0,
    unrealized_gain_loss_usd: 0,
    unrealized_gain_loss_pct: 0,
    top_gainer: null,
    top_loser: null,
  })
  expect(data.value_history).toHaveLength(54)
  for (const entry of data.value_history) expect(entry).toEqual({ ...point(today, 0, 0), date: entry.date })
})

test('200: a corrected purchase date changes the history', async () => {
  const change = { purchase_date: date(today - 15) }
  await api.db.updateTable('portfolio.lot').set(change).where('id', '=', corrected).execute()
  const { data } = await get('period=30d')
  expect(data.value_history).toEqual(daily(30).map((day) => expected(day, today - 15)))
})
