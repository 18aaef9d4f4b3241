import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '@brickmark/core/db/database'
import { startTestApi, type TestApi } from '@brickmark/tests/support/api'
import { addMonth, addSet, addValue, type TestAccount } from '@brickmark/tests/support/fixtures'

let api: TestApi
let account: TestAccount

async function seed(db: Database): Promise<void> {
  await addSet(db, { set_number: '90001-1' })
  await addSet(db, { set_number: '90002-1' })
  // Inserted out of order, across a year boundary and with a gap: only finalized months are returned.
  await addMonth(db, {
    set_number: '90001-1',
    month: '2025-02-01',
    value_cents: 11025,
    range_low_cents: 9540,
    range_high_cents: 12730,
    sales_count: 14,
    event: 'retired',
  })
  await addMonth(db, { set_number: '90001-1', month: '2024-12-01', value_cents: 9999, event: 'retiring_soon' })
  await addMonth(db, { set_number: '90001-1', month: '2009-01-01', value_cents: null, event: 'released' })
  await addMonth(db, { set_number: '90001-1', month: '2026-03-01', value_cents: 1, event: 'rereleased' })
  await addMonth(db, {
    set_number: '90001-1',
    month: '2025-01-01',
    value_cents: 999_999_999,
    range_low_cents: 0,
    range_high_cents: 999_999_999,
    sales_count: 0,
  })
  await addMonth(db, {
    set_number: '90001-1',
    condition: 'used',
    month: '2025-02-01',
    value_cents: 7000,
    range_low_cents: 6000,
    range_high_cents: 8000,
    sales_count: 3,
  })
  await addValue(db, { set_number: '90002-1' })
}

beforeAll(async () => {
  api = await startTestApi(seed)
  account = await api.createAccount()
})
afterAll(() => api.stop())

const sealed = {
  set_number: '90001-1',
  condition: 'sealed',
  history: [
    {
      month: '2009-01',
      value_usd: null,
      range_low: null,
      range_high: null,
      sales_count: null,
      event: 'released',
    },
    {
      month: '2024-12',
      value_usd: 99.99,
      range_low: null,
      range_high: null,
      sales_count: null,
      event: 'retiring_soon',
    },
    {
      month: '2025-01',
      value_usd: 9999999.99,
      range_low: 0,
      range_high: 9999999.99,
      sales_count: 0,
      event: null,
    },
    {
      month: '2025-02',
      value_usd: 110.25,
      range_low: 95.4,
      range_high: 127.3,
      sales_count: 14,
      event: 'retired',
    },
    {
      month: '2026-03',
      value_usd: 0.01,
      range_low: null,
      range_high: null,
      sales_count: null,
      event: 'rereleased',
    },
  ],
}

test.each(['/set/90001-1/history', '/set/90001/history', '/set/90001-1/history?condition=sealed'])(
  '200: %s returns the finalized months ascending, without filling gaps',
  async (path) => {
    expect((await api.get(path, account)).data).toEqual(sealed)
  },
)

test('200: returns a separate history for used copies', async () => {
  expect((await api.get('/set/90001/history?condition=used', account)).data).toEqual({
    set_number: '90001-1',
    condition: 'used',
    history: [{ month: '2025-02', value_usd: 70, range_low: 60, range_high: 80, sales_count: 3, event: null }],
  })
})

test("200: returns an empty history without finalized months; today's value isn't included", async () => {
  expect((await api.get('/set/90002-1/history', account)).data).toEqual({
    set_number: '90002-1',
    condition: 'sealed',
    history: [],
  })
})

test.each([
  'condition=new',
  'condition=SEALED',
  'condition=',
  'condition=sealed&condition=used',
  'condition=used%00',
  'limit=5',
  'condition=%ZZ',
])('400: rejects %s and charges nothing', async (query) => {
  const before = await api.creditsUsed(account)
  const response = await api.get(`/set/90001-1/history?${query}`, account)
  expect([response.status, response.error.code]).toEqual([400, 'BadRequest'])
  expect(await api.creditsUsed(account)).toBe(before)
})

test('400 takes precedence over 404 for an invalid condition of a missing set', async () => {
  expect((await api.get('/set/1/history?condition=new', account)).status).toBe(400)
})

test('404: charges one credit for a set that does not exist', async () => {
  const before = await api.creditsUsed(account)
  const response = await api.get('/set/99999/history', account)
  expect([response.status, response.error.code]).toEqual([404, 'NotFound'])
  expect(await api.creditsUsed(account)).toBe(before + 1)
})
