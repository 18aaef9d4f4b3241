import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '@brickmark/core/db/database'
import { startTestApi, type TestApi } from '@brickmark/tests/support/api'
import {
  addCollection,
  addLot,
  addRetailers,
  addRetailState,
  addSet,
  type TestAccount,
} from '@brickmark/tests/support/fixtures'

let api: TestApi
let account: TestAccount

async function seed(db: Database): Promise<void> {
  await addRetailers(db)
  await addSet(db, {
    set_number: '90001-1',
    title: 'Tidewater Lighthouse',
    asin: 'B0ABCD1234',
    upc: '036000291452',
    ean: '4006381333931',
  })
  await addRetailState(db, {
    set_number: '90001-1',
    price_cents: 7999,
    list_price_cents: 9999,
    changed_at: '2026-06-27T09:30:00Z',
    last_change_cents: -500,
    at_lowest: true,
    lowest_cents: 7999,
  })
  await addRetailState(db, {
    set_number: '90001-1',
    retailer: 'retailer_b',
    price_cents: 8450,
    seller_type: 'third_party',
    in_stock: false,
    changed_at: '2026-06-26T00:00:00.123Z',
    last_change_cents: 450,
    flip_1p_to_3p: true,
    lowest_cents: 7001,
  })
  await db
    .insertInto('market.resale_offer')
    .values({
      set_number: '90001-1',
      lowest_fba_cents: 9450,
      fba_sellers: 7,
      buy_box_cents: 9600,
      net_fba_cents: -136,
    })
    .execute()
  // Every nullable field is null.
  await addSet(db, { set_number: '90002-1', asin: 'B0ABCD0002', upc: '000000000002' })
  await addRetailState(db, {
    set_number: '90002-1',
    retailer: 'retailer_b',
    price_cents: null,
    seller_type: null,
    in_stock: null,
  })
  await addSet(db, { set_number: '90003-1', asin: 'B0ABCD0003', upc: '000000000003' })
  await addSet(db, { set_number: '90004-1', upc: '000000000004' })
  await addRetailState(db, { set_number: '90004-1' })
  await addSet(db, { set_number: '90005-1', asin: 'B0ABCD0005', ean: '0000000000005' })
  await addRetailState(db, { set_number: '90005-1' })
}

beforeAll(async () => {
  api = await startTestApi(seed)
  account = await api.createAccount()
})
afterAll(() => api.stop())

const knownRow = {
  setNumber: '90001-1',
  name: 'Tidewater Lighthouse',
  asin: 'B0ABCD1234',
  upc: '036000291452',
  ean: '4006381333931',
  retailer_a: {
    price: 79.99,
    sellerType: 'retailer',
    changedAt: '2026-06-27T09:30:00.000Z',
    lastChange: -5,
    flip1pTo3p: false,
    atLowest: true,
    lowest: 79.99,
    inStock: true,
  },
  retailer_b: {
    price: 84.5,
    sellerType: 'third_party',
    changedAt: '2026-06-26T00:00:00.123Z',
    lastChange: 4.5,
    flip1pTo3p: true,
    atLowest: false,
    lowest: 70.01,
    inStock: false,
  },
  retailer_aExit: { lowestFba: 94.5, fbaSellers: 7, buyBox: 96, netFba: -1.36 },
}

const unknownBlock = {
  price: null,
  sellerType: null,
  changedAt: null,
  lastChange: null,
  flip1pTo3p: false,
  atLowest: false,
  lowest: null,
  inStock: null,
}

test.each(['90001-1', '90001'])(
  '200: %s returns every field, without `paid` for callers who do not hold it',
  async (number) => {
    expect((await api.get(`/set/${number}/retail-prices`, account)).data).toEqual(knownRow)
  },
)

test('200: unknown fields of a price are null, never 0, and those of the exit are left out', async () => {
  expect((await api.get('/set/90002-1/retail-prices', account)).data).toEqual({
    setNumber: '90002-1',
    name: 'Set 90002-1',
    asin: 'B0ABCD0002',
    upc: '000000000002',
    ean: null,
    retailer_a: unknownBlock,
    retailer_b: unknownBlock,
    retailer_aExit: {},
  })
})

test("200: `paid` is the caller's average unit cost over all collections and conditions", async () => {
  const holder = await api.createAccount()
  const other = await api.createAccount()
  for (const [{ accountId }, lots] of [
    [
      holder,
      [
        { quantity: 2, purchase_price_cents: 6000 },
        { quantity: 1, purchase_price_cents: 6451, condition: 'used', status: 'listed' },
        { quantity: 0, purchase_price_cents: 100_000 },
      ],
    ],
    [other, [{ quantity: 5, purchase_price_cents: 100 }]],
  ] as const) {
    for (const lot of lots) {
      const collection_id = await addCollection(api.db, accountId)
      await addLot(api.db, { account_id: accountId, collection_id, set_number: '90001-1', ...lot })
    }
  }
  // (120.00 + 64.51) / 3 = 61.503…
  expect((await api.get('/set/90001/retail-prices', holder)).data).toEqual({ ...knownRow, paid: 61.5 })
  expect((await api.get('/set/90001/retail-prices', other)).data).toEqual({ ...knownRow, paid: 1 })
  expect((await api.get('/set/90001/retail-prices', account)).data).toEqual(knownRow)
})

test('200: `paid` is 0 for a gift and absent for a sold-out lot', async () => {
  const { accountId, ...account } = await api.createAccount()
  const collection_id = await addCollection(api.db, accountId)
  const lot = { account_id: accountId, collection_id }
  await addLot(api.db, { ...lot, set_number: '90001-1', purchase_price_cents: 0 })
  await addLot(api.db, { ...lot, set_number: '90002-1', quantity: 0 })
  expect((await api.get('/set/90001/retail-prices', account.key)).data).toEqual({ ...knownRow, paid: 0 })
  expect((await api.get('/set/90002/retail-prices', account.key)).data).not.toHaveProperty('paid')
})

test.each([
  ['90004-1', 'asin', { upc: '000000000004' }],
  ['90005-1', 'upc', { asin: 'B0ABCD0005' }],
])('200: %s leaves out an unknown `%s`', async (number, unknown, known) => {
  const { data } = await api.get(`/set/${number}/retail-prices`, account)
  expect(data).toMatchObject({ setNumber: number, ...known })
  expect(data).not.toHaveProperty(unknown)
})

test.each([
  ['99999', 'a set that does not exist'],
  ['90003-1', 'never seen at a retailer'],
])('200: %s returns null (%s) and is charged one credit', async (number) => {
  const before = await api.creditsUsed(account)
  const response = await api.get(`/set/${number}/retail-prices`, account)
  expect([response.status, response.data]).toEqual([200, null])
  expect(await api.creditsUsed(account)).toBe(before + 1)
})

test.each(['/set/%00/retail-prices', `/set/${'9'.repeat(65)}/retail-prices`, '/set/90001/retail-prices?set=90001'])(
  '400: rejects %s and charges nothing',
  async (path) => {
    const before = await api.creditsUsed(account)
    expect((await api.get(path, account)).status).toBe(400)
    expect(await api.creditsUsed(account)).toBe(before)
  },
)
