import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '@brickmark/core/db/database'
import { startTestApi, type TestApi } from '@brickmark/tests/support/api'
import { addCollection, addLot, addSet, addValue, type TestAccount } from '@brickmark/tests/support/fixtures'

type Brickfolios = { brickfolios: { id: number; name: string; created_at: string }[]; monthly_periods: object[] }

let api: TestApi
let account: TestAccount
let ids: { first: number; second: number; main: number }

async function seed(db: Database): Promise<void> {
  for (const set_number of ['90001-1', '90002-1', '90003-1', '90004-1']) await addSet(db, { set_number })
  await addValue(db, { set_number: '90001-1', value_cents: 11240 })
  await addValue(db, {
    set_number: '90001-1',
    condition: 'used',
    value_cents: 7005,
    range_low_cents: 6000,
    range_high_cents: 8000,
  })
  await addValue(db, { set_number: '90002-1', value_cents: 10000 })
  await addValue(db, {
    set_number: '90004-1',
    value_cents: null,
    range_low_cents: null,
    range_high_cents: null,
    data_tier: 'none',
  })
}

beforeAll(async () => {
  api = await startTestApi(seed)
  account = await api.createAccount()
  const account_id = account.accountId
  ids = {
    first: await addCollection(api.db, account_id, { name: 'First' }),
    second: await addCollection(api.db, account_id, { name: 'Empty' }),
    main: await addCollection(api.db, account_id, { name: 'Main', is_default: true }),
  }
  await api.db
    .updateTable('portfolio.collection')
    .set({ description: 'Shelf A to F', created_at: '2024-01-10T18:20:11Z' })
    .where('id', '=', ids.main)
    .execute()
  const lots = [
    { collection_id: ids.main, set_number: '90001-1', quantity: 2, purchase_price_cents: 6450 },
    { collection_id: ids.main, set_number: '90001-1', condition: 'used', purchase_price_cents: 8010 },
    { collection_id: ids.main, set_number: '90001-1', status: 'listed', purchase_price_cents: 0 },
    { collection_id: ids.main, set_number: '90002-1', quantity: 0, purchase_price_cents: 50000 },
    // Without a value: counted, but excluded from cost and value.
    { collection_id: ids.main, set_number: '90003-1', quantity: 7, purchase_price_cents: 100_000 },
    { collection_id: ids.main, set_number: '90004-1', quantity: 1, purchase_price_cents: 100_000 },
    { collection_id: ids.first, set_number: '90002-1', quantity: 3, purchase_price_cents: 12033 },
    { collection_id: ids.first, set_number: '90002-1', condition: 'used', purchase_price_cents: 500 },
  ]
  const days = ['2025-01-31', '2025-01-01', '2024-12-31', '2020-02-02', '2025-01-15', '2025-03-01', '2024-12-01']
  for (const [index, lot] of lots.entries()) {
    await addLot(api.db, { account_id, purchase_date: days[index] ?? '2025-03-31', ...lot })
  }
})
afterAll(() => api.stop())

test('200: lists the default first, then by id; excludes units without a value from the money totals', async () => {
  const { data } = await api.get<Brickfolios>('/brickfolio', account)
  const createdAt = Object.fromEntries(data.brickfolios.map((brickfolio) => [brickfolio.id, brickfolio.created_at]))
  expect(data.brickfolios).toEqual([
    {
      id: ids.main,
      name: 'Main',
      description: 'Shelf A to F',
      is_default: true,
      owned_set_count: 3,
      owned_item_count: 12,
      // 2 × 64.50 + 80.10 + 0, and 3 × 112.40 + 70.05
      total_cost_basis_usd: 209.1,
      total_current_value_usd: 407.25,
      unrealized_gain_loss_usd: 198.15,
      created_at: '2024-01-10T18:20:11.000Z',
    },
    {
      id: ids.first,
      name: 'First',
      description: null,
      is_default: false,
      owned_set_count: 1,
      owned_item_count: 4,
      total_cost_basis_usd: 360.99,
      total_current_value_usd: 300,
      unrealized_gain_loss_usd: -60.99,
      created_at: createdAt[ids.first],
    },
    {
      id: ids.second,
      name: 'Empty',
      description: null,
      is_default: false,
      owned_set_count: 0,
      owned_item_count: 0,
      total_cost_basis_usd: 0,
      total_current_value_usd: 0,
      unrealized_gain_loss_usd: 0,
      created_at: createdAt[ids.second],
    },
  ])
  expect(createdAt[ids.first]).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
})

test('200: groups current lots by month of purchase over all collections, ascending', async () => {
  const { data } = await api.get<Brickfolios>('/brickfolio', account)
  expect(data.monthly_periods).toEqual([
    { month: '2024-12', entry_count: 2, items: 4, cost_basis_usd: 360.99 },
    { month: '2025-01', entry_count: 3, items: 10, cost_basis_usd: 7209.1 },
    { month: '2025-03', entry_count: 2, items: 2, cost_basis_usd: 1005 },
  ])
})

test("200: accounts without collections or holdings see nothing of other accounts' data", async () => {
  const empty = await api.createAccount()
  expect((await api.get('/brickfolio', empty)).data).toEqual({ brickfolios: [], monthly_periods: [] })
  const seller = await api.createAccount()
  const collection_id = await addCollection(api.db, seller.accountId)
  await addLot(api.db, { account_id: seller.accountId, collection_id, set_number: '90001-1', quantity: 0 })
  const { data } = await api.get<Brickfolios>('/brickfolio', seller)
  expect(data.brickfolios).toMatchObject([{ id: collection_id, owned_set_count: 0, owned_item_count: 0 }])
  expect(data.monthly_periods).toEqual([])
})

test('200: sums large amounts exactly to the cent', async () => {
  const { accountId, key } = await api.createAccount()
  const collection_id = await addCollection(api.db, accountId)
  const lot = { account_id: accountId, collection_id, set_number: '90001-1' }
  await addLot(api.db, { ...lot, quantity: 1_000_000, purchase_price_cents: 7 })
  await addLot(api.db, { ...lot, quantity: 3, purchase_price_cents: 3333 })
  const { data } = await api.get<Brickfolios>('/brickfolio', key)
  expect(data.brickfolios).toMatchObject([
    {
      owned_item_count: 1_000_003,
      total_cost_basis_usd: 70_099.99,
      total_current_value_usd: 112_400_337.2,
      unrealized_gain_loss_usd: 112_330_237.21,
    },
  ])
})

test.each(['limit=5', 'brickfolio_id=1', 'account_id=1'])('400: rejects the parameter %s', async (query) => {
  expect((await api.get(`/brickfolio?${query}`, account)).status).toBe(400)
})
