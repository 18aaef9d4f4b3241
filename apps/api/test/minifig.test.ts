import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '@brickmark/core/db/database'
import { startTestApi, type TestApi } from '@brickmark/tests/support/api'
import { addSet, type TestAccount } from '@brickmark/tests/support/fixtures'

let api: TestApi
let account: TestAccount

async function seed(db: Database): Promise<void> {
  for (const set_number of ['90010-1', '90009-1', '90010-2']) await addSet(db, { set_number })
  await db
    .insertInto('catalog.minifig')
    .values([
      {
        minifig_number: 'hbr001',
        name: 'Lighthouse Keeper',
        category: 'Harbor',
        color: 'Dark Blue',
        year_released: 2023,
        image_url: 'https://images.brickmark.example/minifigs/hbr001.png',
      },
      { minifig_number: 'SW0001a', name: 'Bare Figure' },
      { minifig_number: 'hbr003', name: 'Without a value' },
    ])
    .execute()
  await db
    .insertInto('catalog.set_minifig')
    .values([
      { set_number: '90010-2', minifig_number: 'hbr001', quantity: 2 },
      { set_number: '90010-1', minifig_number: 'hbr001', quantity: 1 },
      { set_number: '90009-1', minifig_number: 'hbr001', quantity: 5 },
    ])
    .execute()
  await db
    .insertInto('market.minifig_value')
    .values([
      {
        minifig_number: 'hbr001',
        value_cents: 680,
        range_low_cents: 510,
        range_high_cents: 905,
        data_tier: 'market',
        calculated_at: '2026-06-27T03:10:00Z',
      },
      { minifig_number: 'hbr003', data_tier: 'none', calculated_at: '2026-06-27T03:10:00Z' },
    ])
    .execute()
}

beforeAll(async () => {
  api = await startTestApi(seed)
  account = await api.createAccount()
})
afterAll(() => api.stop())

test('200: returns every field of a fully known minifig, with its sets in natural order', async () => {
  const { data } = await api.get('/minifig/hbr001', account)
  expect(data).toEqual({
    minifig_number: 'hbr001',
    name: 'Lighthouse Keeper',
    category: 'Harbor',
    color: 'Dark Blue',
    year_released: 2023,
    image_url: 'https://images.brickmark.example/minifigs/hbr001.png',
    current_value_usd: 6.8,
    value_range: { low: 5.1, high: 9.05 },
    set_count: 3,
    sets: ['90009-1', '90010-1', '90010-2'],
  })
})

test('200: returns null, never 0, for unknown fields and omits the color', async () => {
  const { data, text } = await api.get('/minifig/SW0001a', account)
  expect(data).toEqual({
    minifig_number: 'SW0001a',
    name: 'Bare Figure',
    category: null,
    year_released: null,
    image_url: null,
    current_value_usd: null,
    value_range: { low: null, high: null },
    set_count: 0,
    sets: [],
  })
  expect(text).not.toContain('color')
})

test('200: returns null for a value that was computed as unknown', async () => {
  const { data } = await api.get('/minifig/hbr003', account)
  expect(data).toMatchObject({ current_value_usd: null, value_range: { low: null, high: null } })
})

test.each([
  ['HBR001', 'hbr001'],
  ['Hbr001', 'hbr001'],
  ['sw0001A', 'SW0001a'],
  ['sw0001a', 'SW0001a'],
])('200: %s finds %s in any case and returns the canonical form', async (number, found) => {
  const response = await api.get<{ minifig_number: string }>(`/minifig/${number}`, account)
  expect([response.status, response.data.minifig_number]).toEqual([200, found])
})

test.each(['hbr01', 'hbr001-1', '90009-1', 'hbr001%20'])(
  '404: %s does not exist and is charged one credit',
  async (number) => {
    const before = await api.creditsUsed(account)
    const response = await api.get(`/minifig/${number}`, account)
    expect([response.status, response.error.code]).toEqual([404, 'NotFound'])
    expect(response.headers['x-ratelimit-remaining']).toBe(String(1000 - before - 1))
    expect(await api.creditsUsed(account)).toBe(before + 1)
  },
)

test.each(['/minifig/%00', '/minifig/hbr%00001', `/minifig/${'h'.repeat(65)}`, '/minifig/hbr001?x=%E0%A4%A'])(
  '400: rejects %s and charges nothing',
  async (path) => {
    const before = await api.creditsUsed(account)
    const response = await api.get(path, account)
    expect([response.status, response.error.code]).toEqual([400, 'BadRequest'])
    expect(await api.creditsUsed(account)).toBe(before)
  },
)

test('200: an alias, in any case, returns the minifig under its own number, and follows changes', async () => {
  const { data } = await api.get<{ minifig_number: string }>('/minifig/hbr001', account)
  expect((await api.get('/minifig/MKT0001', account)).status).toBe(404)
  const alias = { alias: 'mkt0001', minifig_number: 'hbr001', source_id: 'shop' }
  await api.db.insertInto('catalog.minifig_alias').values(alias).execute()
  await expect.poll(async () => (await api.get('/minifig/MKT0001', account)).data).toEqual(data)
  const batch = await api.post<{ minifigs: object[]; summary: object }>('/catalog/batch', account, {
    minifigs: ['mkt0001', 'hbr001', 'HBR001'],
  })
  expect(batch.data.summary).toEqual({ requested: 1, found: 1 })
  await api.db.deleteFrom('catalog.minifig_alias').execute()
  await expect.poll(async () => (await api.get('/minifig/mkt0001', account)).status).toBe(404)
})
