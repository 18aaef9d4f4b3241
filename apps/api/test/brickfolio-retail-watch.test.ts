import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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

type Row = { setNumber: string; paid: number }

let api: TestApi
let holderAccount: TestAccount
let other: TestAccount
let emptyAccount: TestAccount

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const ago = (milliseconds: number) => new Date(Date.now() - milliseconds)
const tenMinutesAgo = ago(10 * MINUTE)
const twoHoursAgo = ago(2 * HOUR)
const threeDaysAgo = ago(72 * HOUR)

async function seed(db: Database): Promise<void> {
  await addRetailers(db)
  const codes = (index: number) => ({ asin: `B00000000${index}`, upc: `00000000000${index}` })
  await addSet(db, { set_number: '90009-1', title: 'Nine', ...codes(1), ean: '4006381333931' })
  await addSet(db, { set_number: '90010-1', title: 'Ten', ...codes(2) })
  await addSet(db, { set_number: '100001-1', title: 'Never changed', ...codes(3) })
  await addSet(db, { set_number: '90011-1', title: 'Without a row', ...codes(4) })
  await addSet(db, { set_number: '90012-1', title: 'Sold out', ...codes(5) })
  await addSet(db, { set_number: '90013-1', title: 'Of another', ...codes(6) })
  await addRetailState(db, { set_number: '90009-1', changed_at: threeDaysAgo, last_change_cents: 200 })
  await addRetailState(db, { set_number: '90009-1', retailer: 'retailer_b', changed_at: tenMinutesAgo })
  await addRetailState(db, { set_number: '90010-1', changed_at: twoHoursAgo })
  for (const set_number of ['100001-1', '90012-1', '90013-1']) await addRetailState(db, { set_number })
}

beforeAll(async () => {
  api = await startTestApi(seed)
  holderAccount = await api.createAccount()
  other = await api.createAccount()
  emptyAccount = await api.createAccount()
  const account_id = holderAccount.accountId
  const [first, second] = [await addCollection(api.db, account_id), await addCollection(api.db, account_id)]
  const lots = [
    { collection_id: second, set_number: '100001-1', quantity: 1, purchase_price_cents: 0 },
    { collection_id: first, set_number: '90010-1', quantity: 1, purchase_price_cents: 6000 },
    { collection_id: first, set_number: '90009-1', quantity: 2, purchase_price_cents: 1000 },
    { collection_id: second, set_number: '90009-1', quantity: 1, purchase_price_cents: 2501, condition: 'used' },
    { collection_id: second, set_number: '90009-1', quantity: 0, purchase_price_cents: 99900 },
    { collection_id: first, set_number: '90011-1', quantity: 1, purchase_price_cents: 6000 },
    { collection_id: first, set_number: '90012-1', quantity: 0, purchase_price_cents: 6000 },
  ]
  for (const lot of lots) await addLot(api.db, { account_id, ...lot })
  const theirs = { account_id: other.accountId, collection_id: await addCollection(api.db, other.accountId) }
  await addLot(api.db, { ...theirs, set_number: '90013-1' })
  await addLot(api.db, { ...theirs, set_number: '90009-1', purchase_price_cents: 100 })
})
afterAll(() => api.stop())

const watch = (query: string, account = holderAccount) =>
  api.get<Row[]>(`/brickfolio/retail-watch${query && `?${query}`}`, account)
const numbers = async (query: string) => (await watch(query)).data.map((row) => row.setNumber)

test('200: returns one row per set held, in natural order, with the average cost of the units held', async () => {
  const { data } = await watch('')
  expect(data.map(({ setNumber, paid }) => [setNumber, paid])).toEqual([
    ['90009-1', 15],
    ['90010-1', 60],
    ['100001-1', 0],
  ])
})

test('200: returns every field of a row', async () => {
  const { data } = await watch('asin=B000000001')
  expect(data).toEqual([
    {
      setNumber: '90009-1',
      name: 'Nine',
      asin: 'B000000001',
      upc: '000000000001',
      ean: '4006381333931',
      paid: 15,
      retailer_a: {
        price: 50,
        sellerType: 'retailer',
        changedAt: threeDaysAgo.toISOString(),
        lastChange: 2,
        flip1pTo3p: false,
        atLowest: false,
        lowest: null,
        inStock: true,
      },
      retailer_b: {
        price: 50,
        sellerType: 'retailer',
        changedAt: tenMinutesAgo.toISOString(),
        lastChange: null,
        flip1pTo3p: false,
        atLowest: false,
        lowest: null,
        inStock: true,
      },
      retailer_aExit: {},
    },
  ])
})

test("200: callers see only their own sets; other accounts' holdings never match a filter", async () => {
  const { data } = await watch('', other)
  expect(data.map(({ setNumber, paid }) => [setNumber, paid])).toEqual([
    ['90009-1', 1],
    ['90013-1', 60],
  ])
  expect((await watch('asin=B000000002', other)).data).toEqual([])
  expect((await watch('', emptyAccount)).data).toEqual([])
})

describe('changed_within', () => {
  test.each([
    ['5m', []],
    ['30m', ['90009-1']],
    ['1h', ['90009-1']],
    ['3h', ['90009-1', '90010-1']],
    ['180m', ['90009-1', '90010-1']],
    ['0d', []],
    ['00000030m', ['90009-1']],
    ['7d', ['90009-1', '90010-1']],
    ['999999999999999999999d', ['90009-1', '90010-1']],
    [`${'9'.repeat(5000)}h`, ['90009-1', '90010-1']],
    [`${'0'.repeat(5000)}5m`, []],
  ])('200: %s matches a change at either retailer, but not a price that never changed', async (window, found) => {
    expect(await numbers(`changed_within=${window}`)).toEqual(found)
  })
})

describe('since', () => {
  const encode = encodeURIComponent
  test.each([
    ['exactly the time of the change', () => tenMinutesAgo.toISOString(), ['90009-1']],
    ['a millisecond later', () => new Date(tenMinutesAgo.getTime() + 1).toISOString(), []],
    ['exactly the time of the earlier change', () => twoHoursAgo.toISOString(), ['90009-1', '90010-1']],
    ['an offset', () => twoHoursAgo.toISOString().replace('Z', '+00:00'), ['90009-1', '90010-1']],
    // At +05:00 the same clock time is five hours earlier, so everything matches; at -05:00, nothing does.
    ['an offset to the east', () => ago(HOUR).toISOString().replace('Z', '+05:00'), ['90009-1', '90010-1']],
    ['an offset to the west', () => ago(HOUR).toISOString().replace('Z', '-05:00'), []],
    ['the future', () => '2999-01-01T00:00:00Z', []],
    ['the distant past', () => '0001-01-01T00:00:00Z', ['90009-1', '90010-1']],
  ])('200: %s', async (_why, since, found) => {
    expect(await numbers(`since=${encode(since())}`)).toEqual(found)
  })

  test.each([
    ['changed_within is later', `changed_within=30m&since=${encode(threeDaysAgo.toISOString())}`, ['90009-1']],
    ['since is later', `changed_within=7d&since=${encode(ago(HOUR).toISOString())}`, ['90009-1']],
    ['no change after either', `changed_within=5m&since=${encode(ago(MINUTE).toISOString())}`, []],
  ])('200: uses the later cutoff if changed_within is also given: %s', async (_why, query, found) => {
    expect(await numbers(query)).toEqual(found)
  })
})

describe('identifiers', () => {
  test.each([
    ['asin=B000000001,B000000002', ['90009-1', '90010-1']],
    ['asin=b000000002', ['90010-1']],
    ['asin=B000000002,%20B000000003%20,,B000000099', ['90010-1', '100001-1']],
    ['asin=B000000004', []],
    ['asin=B000000006', []],
    ['asin=,', []],
    ['upc=000000000001', ['90009-1']],
    ['upc=4006381333931', ['90009-1']],
    ['upc=0000000000002,00000003', ['90010-1', '100001-1']],
    ['upc=x', []],
    ['asin=B000000001,B000000002&upc=000000000002,000000000003', ['90010-1']],
    ['asin=B000000001&upc=000000000002', []],
    ['asin=B000000001,B000000002&changed_within=30m', ['90009-1']],
    ['upc=000000000003&changed_within=30m', []],
  ])('200: %s matches any code in a list and all filters', async (query, found) => {
    expect(await numbers(query)).toEqual(found)
  })
})

test.each([
  'changed_within=',
  'changed_within=5',
  'changed_within=m',
  'changed_within=5s',
  'changed_within=5w',
  'changed_within=-5m',
  'changed_within=%2B5m',
  'changed_within=5.5h',
  'changed_within=1e3m',
  'changed_within=%205m',
  'changed_within=5m%0A',
  'changed_within=5M',
  'changed_within=%D9%A5m',
  'changed_within=5m&changed_within=6m',
  'since=',
  'since=yesterday',
  'since=2026-06-27',
  'since=2026-13-01T00:00:00Z',
  'since=2026-02-30T00:00:00Z',
  'since=2026-06-27T25:00:00Z',
  'since=2026-06-27T00:00:00',
  'since=2026-06-27T00:00:00+02:00',
  'since=1782518400',
  'since=2026-06-27T00:00:00Z&since=2026-06-27T00:00:00Z',
  'asin=',
  'asin=B000000001&asin=B000000002',
  'upc=%00',
  'limit=5',
  'set=90009',
])('400: rejects %s and charges nothing', async (query) => {
  const before = await api.creditsUsed(holderAccount)
  const response = await watch(query)
  expect([response.status, response.error.code]).toEqual([400, 'BadRequest'])
  expect(await api.creditsUsed(holderAccount)).toBe(before)
})
