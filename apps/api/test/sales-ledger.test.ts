import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '@brickmark/core/db/database'
import { startTestApi, type TestApi } from '@brickmark/tests/support/api'
import { addSale, addSet, type TestAccount } from '@brickmark/tests/support/fixtures'

type Sale = {
  id: number
  gross_proceeds_usd: number
  platform_fees_usd: number
  payment_fees_usd: number
  shipping_cost_usd: number
  net_proceeds_usd: number
}
type Page = {
  sales: Sale[]
  pagination: { total: number; limit: number; offset: number; has_more: boolean }
}

let api: TestApi
let account: TestAccount
let other: TestAccount
let ids: number[]

async function seed(db: Database): Promise<void> {
  await addSet(db, { set_number: '90001-1', title: 'Tidewater Lighthouse' })
}

beforeAll(async () => {
  api = await startTestApi(seed)
  account = await api.createAccount()
  other = await api.createAccount()
  const sale = { account_id: account.accountId, set_number: '90001-1' }
  const fees = { platform_fees_cents: 1722, payment_fees_cents: 40, shipping_cost_cents: 1210 }
  ids = [
    await addSale(api.db, {
      ...sale,
      ...fees,
      gross_proceeds_cents: 12999,
      cost_cents: 6450,
      sale_date: '2026-05-18',
    }),
    await addSale(api.db, { ...sale, ...fees, quantity: 3, platform: 'bricklink', sale_date: '2026-05-19' }),
    await addSale(api.db, { ...sale, cost_cents: 0, platform: 'local', sale_date: '2026-05-18' }),
    await addSale(api.db, {
      ...sale,
      ...fees,
      gross_proceeds_cents: 1000,
      cost_cents: 2000,
      sale_date: '2025-12-31',
    }),
  ]
  await addSale(api.db, { ...sale, account_id: other.accountId, gross_proceeds_cents: 777 })
})
afterAll(() => api.stop())

const get = (query = '', caller = account) => api.get<Page>(`/salesledger${query && `?${query}`}`, caller)

test('200: sorts newest first, then by id; profit is null without a cost, ROI also at cost 0', async () => {
  const common = { set_number: '90001-1', title: 'Tidewater Lighthouse', platform: 'ebay', quantity: 1 }
  const fees = { platform_fees_usd: 17.22, payment_fees_usd: 0.4, shipping_cost_usd: 12.1 }
  expect((await get()).data).toEqual({
    sales: [
      {
        ...common,
        ...fees,
        id: ids[1],
        platform: 'bricklink',
        sale_date: '2026-05-19',
        quantity: 3,
        gross_proceeds_usd: 100,
        net_proceeds_usd: 70.28,
        profit_loss_usd: null,
        roi_pct: null,
      },
      {
        ...common,
        id: ids[2],
        platform: 'local',
        sale_date: '2026-05-18',
        gross_proceeds_usd: 100,
        platform_fees_usd: 0,
        payment_fees_usd: 0,
        shipping_cost_usd: 0,
        net_proceeds_usd: 100,
        profit_loss_usd: 100,
        roi_pct: null,
      },
      {
        ...common,
        ...fees,
        id: ids[0],
        sale_date: '2026-05-18',
        gross_proceeds_usd: 129.99,
        net_proceeds_usd: 100.27,
        profit_loss_usd: 35.77,
        roi_pct: 55.46,
      },
      {
        ...common,
        ...fees,
        id: ids[3],
        sale_date: '2025-12-31',
        gross_proceeds_usd: 10,
        net_proceeds_usd: -19.72,
        profit_loss_usd: -39.72,
        roi_pct: -198.6,
      },
    ],
    pagination: { total: 4, limit: 50, offset: 0, has_more: false },
  })
})

test('200: net, fees and shipping add up to the gross amount, to the cent', async () => {
  const account = await api.createAccount()
  for (let index = 0; index < 40; index++) {
    const amount = (factor: number) => (index * factor) % 100_003
    await addSale(api.db, {
      account_id: account.accountId,
      set_number: '90001-1',
      gross_proceeds_cents: amount(77_777),
      platform_fees_cents: amount(1013),
      payment_fees_cents: amount(317),
      shipping_cost_cents: amount(9973),
    })
  }
  const { data } = await get('', account)
  expect(data.sales).toHaveLength(40)
  const cents = (dollars: number) => Math.round(dollars * 100)
  for (const sale of data.sales) {
    const parts = [sale.net_proceeds_usd, sale.platform_fees_usd, sale.payment_fees_usd, sale.shipping_cost_usd]
    expect(parts.map(cents).reduce((a, b) => a + b)).toBe(cents(sale.gross_proceeds_usd))
    expect(sale.net_proceeds_usd).toBe(cents(sale.net_proceeds_usd) / 100)
  }
})

test('200: callers see only their own sales', async () => {
  expect((await get('', other)).data.sales).toMatchObject([{ gross_proceeds_usd: 7.77 }])
  expect((await get('', await api.createAccount())).data).toEqual({
    sales: [],
    pagination: { total: 0, limit: 50, offset: 0, has_more: false },
  })
})

describe('pagination', () => {
  test('200: the pages cover the full list without overlap, even for identical sales on one day', async () => {
    const account = await api.createAccount()
    const expected: number[] = []
    for (let index = 0; index < 11; index++) {
      expected.unshift(await addSale(api.db, { account_id: account.accountId, set_number: '90001-1' }))
    }
    const seen: number[] = []
    for (let offset = 0; offset < 12; offset += 4) {
      const { data } = await get(`limit=4&offset=${offset}`, account)
      expect(data.pagination).toEqual({ total: 11, limit: 4, offset, has_more: offset < 8 })
      seen.push(...data.sales.map((sale) => sale.id))
    }
    expect(seen).toEqual(expected)
  })

  test('200: has_more is false at and past the end', async () => {
    expect((await get('offset=4')).data).toEqual({
      sales: [],
      pagination: { total: 4, limit: 50, offset: 4, has_more: false },
    })
    expect((await get('offset=2&limit=2')).data.pagination.has_more).toBe(false)
    expect((await get('offset=1&limit=2')).data.pagination.has_more).toBe(true)
    expect((await get('limit=250')).data.sales).toHaveLength(4)
  })
})

test.each([
  'limit=1e2',
  'limit=+5',
  'limit=%2B5',
  'limit=5.0',
  'limit=%205',
  'limit=5%20',
  'limit=-1',
  'limit=0',
  'limit=251',
  'limit=',
  'limit=five',
  'limit=5%00',
  'limit=%ZZ',
  'limit=5&limit=5',
  'offset=-1',
  'offset=-0',
  'offset=1.5',
  'offset=99999999999999999999',
  'offset=0&offset=0',
  'page=2',
  'per_page=10',
])('400: rejects %s and charges nothing', async (query) => {
  const before = await api.creditsUsed(account)
  const response = await get(query)
  expect([response.status, response.error.code]).toEqual([400, 'BadRequest'])
  expect(await api.creditsUsed(account)).toBe(before)
})
