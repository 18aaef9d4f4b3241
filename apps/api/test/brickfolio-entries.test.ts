import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '@brickmark/core/db/database'
import { startTestApi, type TestApi } from '@brickmark/tests/support/api'
import { addCollection, addLot, addSet, addValue, type TestAccount } from '@brickmark/tests/support/fixtures'

type Page = {
  entries: { brickfolio_id: number; purchase_price_usd: number }[]
  pagination: { total: number; limit: number; offset: number; has_more: boolean }
}

let api: TestApi
let account: TestAccount
let other: TestAccount
let first: number
let second: number
let empty: number
let foreign: number

async function seed(db: Database): Promise<void> {
  await addSet(db, { set_number: '90001-1', title: 'Tidewater Lighthouse', theme: 'Harbor' })
  await addSet(db, { set_number: '90002-1', title: 'Unvalued', theme: 'Oddments' })
  await addValue(db, { set_number: '90001-1', value_cents: 11240 })
  await addValue(db, { set_number: '90001-1', condition: 'used', value_cents: 8000, range_high_cents: 9900 })
}

beforeAll(async () => {
  api = await startTestApi(seed)
  account = await api.createAccount()
  other = await api.createAccount()
  const account_id = account.accountId
  first = await addCollection(api.db, account_id)
  foreign = await addCollection(api.db, other.accountId)
  second = await addCollection(api.db, account_id, { is_default: true })
  empty = await addCollection(api.db, account_id)
  // The second collection is filled first, to show that the order is by collection, not by lot.
  const lot = { account_id, set_number: '90001-1' }
  await addLot(api.db, { ...lot, collection_id: second, quantity: 2, purchase_price_cents: 6450 })
  await addLot(api.db, { ...lot, collection_id: second, status: 'listed', purchase_price_cents: 0 })
  await addLot(api.db, { ...lot, collection_id: second, quantity: 0, purchase_price_cents: 100 })
  await addLot(api.db, {
    ...lot,
    collection_id: first,
    condition: 'used',
    quantity: 3,
    purchase_price_cents: 10001,
    purchase_date: '2024-02-29',
    notes: 'never shown',
  })
  await addLot(api.db, { ...lot, collection_id: first, set_number: '90002-1', purchase_price_cents: 1200 })
  await addLot(api.db, { ...lot, account_id: other.accountId, collection_id: foreign, purchase_price_cents: 777 })
})
afterAll(() => api.stop())

const get = (query: string, caller = account) => api.get<Page>(`/brickfolio/entries${query && `?${query}`}`, caller)

const valued = () => ({
  brickfolio_id: second,
  set_number: '90001-1',
  title: 'Tidewater Lighthouse',
  theme: 'Harbor',
  quantity: 2,
  condition: 'sealed',
  purchase_price_usd: 64.5,
  purchase_date: '2025-01-15',
  status: 'owned',
  current_value_usd: 112.4,
  total_current_value_usd: 224.8,
  unrealized_gain_loss_usd: 95.8,
  unrealized_gain_loss_pct: 74.26,
})

const gift = () => ({
  ...valued(),
  quantity: 1,
  purchase_price_usd: 0,
  status: 'listed',
  total_current_value_usd: 112.4,
  unrealized_gain_loss_usd: 112.4,
  unrealized_gain_loss_pct: 0,
})

const loss = () => ({
  ...valued(),
  brickfolio_id: first,
  quantity: 3,
  condition: 'used',
  purchase_price_usd: 100.01,
  purchase_date: '2024-02-29',
  current_value_usd: 80,
  total_current_value_usd: 240,
  unrealized_gain_loss_usd: -60.03,
  unrealized_gain_loss_pct: -20.01,
})

const unvalued = () => ({
  brickfolio_id: first,
  set_number: '90002-1',
  title: 'Unvalued',
  theme: 'Oddments',
  quantity: 1,
  condition: 'sealed',
  purchase_price_usd: 12,
  purchase_date: '2025-01-15',
  status: 'owned',
  current_value_usd: null,
  total_current_value_usd: null,
  unrealized_gain_loss_usd: null,
  unrealized_gain_loss_pct: null,
})

test('200: sorts holdings by collection, then lot; a gift gains 0 percent, missing values are null', async () => {
  expect((await get('')).data).toEqual({
    entries: [loss(), unvalued(), valued(), gift()],
    pagination: { total: 4, limit: 50, offset: 0, has_more: false },
  })
})

test('200: brickfolio_id limits the result to one collection', async () => {
  expect((await get(`brickfolio_id=${second}`)).data).toEqual({
    entries: [valued(), gift()],
    pagination: { total: 2, limit: 50, offset: 0, has_more: false },
  })
  expect((await get(`brickfolio_id=${empty}`)).data).toEqual({
    entries: [],
    pagination: { total: 0, limit: 50, offset: 0, has_more: false },
  })
})

test('200: accepts leading zeros', async () => {
  expect((await get(`brickfolio_id=000${second}&limit=01`)).data.pagination).toMatchObject({ total: 2, limit: 1 })
})

test('200: an unknown price or date is left out, and without a price there is no gain', async () => {
  const account = await api.createAccount()
  const lot = { account_id: account.accountId, collection_id: await addCollection(api.db, account.accountId) }
  const unknown = { purchase_price_cents: null, purchase_date: null }
  await addLot(api.db, { ...lot, set_number: '90001-1', ...unknown })
  const { brickfolio_id: _, purchase_price_usd: _price, purchase_date: _date, ...known } = gift()
  expect((await get('', account)).data.entries).toEqual([
    {
      ...known,
      brickfolio_id: lot.collection_id,
      status: 'owned',
      unrealized_gain_loss_usd: null,
      unrealized_gain_loss_pct: null,
    },
  ])
})

describe('pagination', () => {
  test('200: the pages cover the full list without overlap', async () => {
    const account = await api.createAccount()
    const account_id = account.accountId
    const ids = [await addCollection(api.db, account_id), await addCollection(api.db, account_id)]
    // The price in cents is the expected position of the lot.
    for (let index = 0; index < 13; index++) {
      const cents = index % 2 === 0 ? index / 2 : 7 + (index - 1) / 2
      const lot = { collection_id: ids[index % 2]!, purchase_price_cents: cents }
      await addLot(api.db, { account_id, set_number: '90001-1', ...lot })
    }
    const seen: number[] = []
    for (let offset = 0, more = true; more; offset += 5) {
      const { data } = await get(`limit=5&offset=${offset}`, account)
      expect(data.pagination).toEqual({ total: 13, limit: 5, offset, has_more: offset + 5 < 13 })
      seen.push(...data.entries.map((entry) => Math.round(entry.purchase_price_usd * 100)))
      more = data.pagination.has_more
    }
    expect(seen).toEqual(Array.from({ length: 13 }, (_, index) => index))
    expect((await get(`brickfolio_id=${ids[1]}&limit=6`, account)).data.pagination.has_more).toBe(false)
    expect((await get(`brickfolio_id=${ids[0]}&limit=6`, account)).data.pagination.has_more).toBe(true)
  })

  test('200: returns an empty page past the end', async () => {
    expect((await get('offset=2147483647&limit=250')).data).toEqual({
      entries: [],
      pagination: { total: 4, limit: 250, offset: 2147483647, has_more: false },
    })
  })
})

describe('a collection of another account', () => {
  test('404: same bytes, headers and cost as for a collection that does not exist', async () => {
    const absent = foreign + 100_000
    const before = await api.creditsUsed(account)
    const theirs = await get(`brickfolio_id=${foreign}`)
    const missing = await get(`brickfolio_id=${absent}`)
    expect([theirs.status, theirs.error.code, missing.status]).toEqual([404, 'NotFound', 404])
    expect(theirs.text.replaceAll(String(foreign), '#')).toBe(missing.text.replaceAll(String(absent), '#'))
    const plain = ({ headers }: typeof theirs, used: number) => ({
      ...headers,
      'x-request-id': '',
      date: '',
      'content-length': '',
      'x-ratelimit-remaining': Number(headers['x-ratelimit-remaining']) + used,
    })
    expect(plain(theirs, 1)).toEqual(plain(missing, 2))
    expect(await api.creditsUsed(account)).toBe(before + 2)
  })

  test('200: its owner sees this collection and no other', async () => {
    const { data } = await get('', other)
    expect(data.entries).toMatchObject([{ brickfolio_id: foreign, purchase_price_usd: 7.77 }])
    expect((await get(`brickfolio_id=${first}`, other)).status).toBe(404)
  })

  test('404: treats the largest possible id as a missing collection', async () => {
    expect((await get('brickfolio_id=9007199254740991')).status).toBe(404)
  })
})

test.each([
  'brickfolio_id=0',
  'brickfolio_id=-1',
  'brickfolio_id=1e2',
  'brickfolio_id=%2B5',
  'brickfolio_id=5.0',
  'brickfolio_id=%205',
  'brickfolio_id=',
  'brickfolio_id=abc',
  'brickfolio_id=1%00',
  'brickfolio_id=9007199254740992',
  'brickfolio_id=99999999999999999999999999',
  'brickfolio_id=1&brickfolio_id=1',
  'brickfolio_id[]=1',
  'limit=0',
  'limit=251',
  'limit=1e2',
  'limit=+5',
  'limit=5.0',
  'offset=-1',
  'offset=2147483648',
  'limit=5&limit=5',
  'brickfolio=1',
  'account_id=1',
])('400: rejects %s and charges nothing', async (query) => {
  const before = await api.creditsUsed(account)
  const response = await get(query)
  expect([response.status, response.error.code]).toEqual([400, 'BadRequest'])
  expect(await api.creditsUsed(account)).toBe(before)
})
