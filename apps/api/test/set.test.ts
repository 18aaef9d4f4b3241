import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '@brickmark/core/db/database'
import { startTestApi, type TestApi } from '@brickmark/tests/support/api'
import { addRetailers, addRetailState, addSet, addValue, type TestAccount } from '@brickmark/tests/support/fixtures'

let api: TestApi
let account: TestAccount

const DAY_MS = 86_400_000
const dayFromNow = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)

async function seed(db: Database): Promise<void> {
  await addRetailers(db)
  await addSet(db, {
    set_number: '75192-1',
    title: 'Tidewater Lighthouse',
    theme: 'Harbor',
    subtheme: 'Coast',
    pieces: 812,
    msrp_cents: 8999,
    release_date: '2023-03-01',
    retire_date: '2024-12-31',
    asin: 'B0ABCD1234',
    upc: '036000291452',
    ean: '0036000291452',
    image_url: 'https://images.brickmark.example/sets/75192-1.png',
    box_width_in: '18.90',
    box_height_in: '14.90',
    box_depth_in: '3.60',
    box_weight_lbs: '3.40',
  })
  await db
    .insertInto('catalog.minifig')
    .values([
      { minifig_number: 'hbr002', name: 'Sailor' },
      { minifig_number: 'hbr001', name: 'Lighthouse Keeper' },
    ])
    .execute()
  await db
    .insertInto('catalog.set_minifig')
    .values([
      { set_number: '75192-1', minifig_number: 'hbr002', quantity: 3 },
      { set_number: '75192-1', minifig_number: 'hbr001', quantity: 1 },
    ])
    .execute()
  await addValue(db, {
    set_number: '75192-1',
    value_cents: 11240,
    range_low_cents: 9620,
    range_high_cents: 13150,
    calculated_at: '2026-06-27T03:10:00Z',
  })
  await addValue(db, {
    set_number: '75192-1',
    condition: 'used',
    value_cents: 7110,
    range_low_cents: 6000,
    range_high_cents: 8000,
    data_tier: 'thin',
    calculated_at: '2026-06-20T03:10:00Z',
  })
  await addRetailState(db, {
    set_number: '75192-1',
    retailer: 'retailer_b',
    price_cents: 10999,
    list_price_cents: 9999,
    seller_type: 'third_party',
    in_stock: true,
    product_url: 'https://retailer-b.example/ip/1',
    last_checked_at: '2026-06-27T14:06:00Z',
  })
  await addRetailState(db, {
    set_number: '75192-1',
    price_cents: 7999,
    list_price_cents: 9999,
    product_url: 'https://retailer-a.example/dp/B0ABCD1234',
  })
  // Only the required fields are known.
  await addSet(db, { set_number: '10', title: 'Unknown Crate', theme: 'Harbor' })
  // The computed value is null; a retailer lists the set without a price.
  await addSet(db, { set_number: '11-1' })
  await addValue(db, {
    set_number: '11-1',
    value_cents: null,
    range_low_cents: null,
    range_high_cents: null,
    data_tier: 'none',
    calculated_at: '2026-06-27T03:10:00Z',
  })
  await addRetailState(db, { set_number: '11-1', price_cents: null, seller_type: null, in_stock: null })
  await addSet(db, { set_number: '12-1', title: 'Variant one' })
  await addSet(db, { set_number: '12-2', title: 'Variant two' })
  await addSet(db, { set_number: '13-1', title: 'With suffix' })
  await addSet(db, { set_number: '13', title: 'Without suffix' })
  await addSet(db, { set_number: '21-1', release_date: dayFromNow(2) })
  await addSet(db, { set_number: '22-1', release_date: '2020-01-01' })
  await addSet(db, { set_number: '23-1', release_date: '2020-01-01', retire_date: dayFromNow(2) })
  await addSet(db, { set_number: '24-1', release_date: '2020-01-01', retire_date: dayFromNow(0) })
}

beforeAll(async () => {
  api = await startTestApi(seed)
  account = await api.createAccount()
})
afterAll(() => api.stop())

test('200: returns every field of a fully known set', async () => {
  const { data } = await api.get('/set/75192-1', account)
  expect(data).toEqual({
    set_number: '75192-1',
    title: 'Tidewater Lighthouse',
    theme: 'Harbor',
    subtheme: 'Coast',
    pieces: 812,
    minifigs_count: 4,
    minifigs: ['hbr001', 'hbr002'],
    barcodes: { upc: '036000291452', ean: '0036000291452' },
    msrp_usd: 89.99,
    release_date: '2023-03-01',
    retire_date: '2024-12-31',
    status_id: 4,
    data_tier: 'market',
    image_url: 'https://images.brickmark.example/sets/75192-1.png',
    new_value_usd: 112.4,
    used_value_usd: 71.1,
    value_range: { low: 96.2, high: 131.5, calculated_at: '2026-06-27T03:10:00.000Z' },
    retailers: [
      {
        retailer: 'retailer_a',
        retailer_name: 'Retailer A',
        current_price: 79.99,
        list_price: 99.99,
        discount_percent: 20,
        in_stock: true,
        is_first_party: true,
        product_url: 'https://retailer-a.example/dp/B0ABCD1234',
        last_checked_at: '2026-06-27T14:05:00.000Z',
      },
      {
        retailer: 'retailer_b',
        retailer_name: 'Retailer B',
        current_price: 109.99,
        list_price: 99.99,
        discount_percent: -10,
        in_stock: true,
        is_first_party: false,
        product_url: 'https://retailer-b.example/ip/1',
        last_checked_at: '2026-06-27T14:06:00.000Z',
      },
    ],
    box: { width_in: 18.9, height_in: 14.9, depth_in: 3.6, weight_lbs: 3.4 },
  })
})

test('200: returns null, never 0, for unknown fields', async () => {
  const { data } = await api.get('/set/10', account)
  expect(data).toEqual({
    set_number: '10',
    title: 'Unknown Crate',
    theme: 'Harbor',
    subtheme: null,
    pieces: null,
    minifigs_count: 0,
    minifigs: [],
    barcodes: { upc: null, ean: null },
    msrp_usd: null,
    release_date: null,
    retire_date: null,
    status_id: 5,
    data_tier: 'none',
    image_url: null,
    new_value_usd: null,
    used_value_usd: null,
    value_range: { low: null, high: null, calculated_at: null },
    retailers: [],
    box: { width_in: null, height_in: null, depth_in: null, weight_lbs: null },
  })
})

test('200: returns null for a value computed as unknown and a retailer without a price', async () => {
  const { data } = await api.get('/set/11-1', account)
  expect(data).toMatchObject({
    data_tier: 'none',
    new_value_usd: null,
    value_range: { low: null, high: null, calculated_at: '2026-06-27T03:10:00.000Z' },
    retailers: [
      { current_price: null, list_price: null, discount_percent: null, in_stock: false, is_first_party: false },
    ],
  })
})

describe('number formats', () => {
  test.each([
    ['75192-1', '75192-1', 'as stored'],
    ['75192', '75192-1', 'the variant is added'],
    ['10', '10', 'stored without a variant'],
    ['10-1', '10', 'the variant is dropped'],
    ['12', '12-1', 'no variant means the first'],
    ['12-2', '12-2', 'another variant'],
    ['13', '13', 'the exact number wins'],
    ['13-1', '13-1', 'the exact number wins'],
    ['75192%2D1', '75192-1', 'percent-encoded'],
  ])('200: %s finds %s (%s)', async (number, found) => {
    const response = await api.get<{ set_number: string }>(`/set/${number}`, account)
    expect([response.status, response.data.set_number]).toEqual([200, found])
  })

  test.each(['75192-2', '7519', '75192-11', '12-3', '%2075192-1', 'x', '%F0%9F%A7%B1', '..%2F75192-1'])(
    '404: %s does not match any set',
    async (number) => {
      expect((await api.get(`/set/${number}`, account)).status).toBe(404)
    },
  )
})

test.each([
  ['21-1', 1, dayFromNow(2), null],
  ['22-1', 2, '2020-01-01', null],
  ['23-1', 3, '2020-01-01', null],
  ['24-1', 4, '2020-01-01', dayFromNow(0)],
])(
  '200: %s has status %i; a future retirement is not returned as retire_date',
  async (number, status, release, retire) => {
    const { data } = await api.get(`/set/${number}`, account)
    expect(data).toMatchObject({ status_id: status, release_date: release, retire_date: retire })
  },
)

test('404: charges one credit for a set that does not exist', async () => {
  const limited = await api.createAccount({ limit: 2 })
  const response = await api.get('/set/99999', limited)
  expect([response.status, response.error.code]).toEqual([404, 'NotFound'])
  expect(response.error.message).toContain('99999')
  expect(response.headers['x-ratelimit-remaining']).toBe('1')
  await api.get('/set/99999', limited)
  expect(await api.creditsUsed(limited)).toBe(2)
  expect((await api.get('/set/99999', limited)).status).toBe(429)
})

test.each(['/set/%00', '/set/7%001', `/set/${'7'.repeat(65)}`, '/set/1?a=%ZZ', '/set/1?%', '/set/1?number=1'])(
  '400: rejects %s and charges nothing',
  async (path) => {
    const before = await api.creditsUsed(account)
    const response = await api.get(path, account)
    expect([response.status, response.error.code]).toEqual([400, 'BadRequest'])
    expect(response.headers['x-ratelimit-remaining']).toBe(String(1000 - before))
    expect(await api.creditsUsed(account)).toBe(before)
  },
)
