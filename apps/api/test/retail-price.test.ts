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

let api: TestApi
let account: TestAccount

async function seed(db: Database): Promise<void> {
  await addRetailers(db)
  await addSet(db, { set_number: '90001-1', asin: 'B0ABCD0001', upc: '036000291452', ean: '4006381333931' })
  await addSet(db, { set_number: '90002-1', asin: 'B0ABCD0002', upc: '001234567890' })
  await addSet(db, { set_number: '500', asin: 'B0ABCD0500', upc: '500000000500', ean: '0700000000700' })
  for (const set_number of ['90001-1', '90002-1', '500']) await addRetailState(db, { set_number })
  await addSet(db, { set_number: '90003-1', asin: 'B0ABCD0003', upc: '300000000003' })
  await addSet(db, { set_number: '90004-1', upc: '400000000004' })
  await addRetailState(db, { set_number: '90004-1' })
}

beforeAll(async () => {
  api = await startTestApi(seed)
  account = await api.createAccount()
})
afterAll(() => api.stop())

async function findSet(query: string): Promise<string | null> {
  const { status, data } = await api.get<{ setNumber: string } | null>(`/retail-prices?${query}`, account)
  expect(status).toBe(200)
  return data && data.setNumber
}

test('200: returns the same row as for the set, with `paid` for holders', async () => {
  const holder = await api.createAccount()
  const collection_id = await addCollection(api.db, holder.accountId)
  const lot = { account_id: holder.accountId, collection_id, set_number: '90001-1' }
  await addLot(api.db, { ...lot, quantity: 2, purchase_price_cents: 1000 })
  await addLot(api.db, { ...lot, quantity: 1, purchase_price_cents: 2000 })
  const bySet = await api.get('/set/90001-1/retail-prices', holder)
  const byAsin = await api.get('/retail-prices?asin=B0ABCD0001', holder)
  expect(byAsin.data).toEqual(bySet.data)
  expect(byAsin.data).toMatchObject({ setNumber: '90001-1', paid: 13.33, retailer_a: { price: 50 } })
  expect((await api.get('/retail-prices?asin=B0ABCD0001', account)).data).not.toHaveProperty('paid')
})

describe('single identifiers', () => {
  test.each([
    ['set=90001-1', '90001-1', 'the number'],
    ['set=90001', '90001-1', 'without the variant'],
    ['set=500-1', '500', 'with a variant although it is stored without'],
    ['asin=B0ABCD0001', '90001-1', 'the ASIN'],
    ['asin=b0abcd0001', '90001-1', 'the ASIN in lower case'],
    ['upc=036000291452', '90001-1', 'the UPC'],
    ['upc=36000291452', '90001-1', 'a UPC that lost its leading zero'],
    ['upc=0036000291452', '90001-1', 'a UPC in EAN format'],
    ['upc=4006381333931', '90001-1', 'the EAN'],
    ['upc=1234567890', '90002-1', 'two leading zeros restored'],
    ['upc=01234567890', '90002-1', 'one of two leading zeros restored'],
    ['upc=500000000500', '500', 'a wrong check digit'],
    ['upc=0700000000700', '500', 'an EAN that begins with 0'],
    ['upc=400000000004', '90004-1', 'a set without ASIN'],
    ['upc=700000000700', '500', 'an EAN that begins with 0, in UPC format'],
  ])('200: %s finds %s (%s)', async (query, found) => {
    expect(await findSet(query)).toBe(found)
  })

  test.each([
    ['set=99999', 'no such set'],
    ['asin=B0ABCD9999', 'no such ASIN'],
    ['asin=B0ABCD000', 'part of an ASIN'],
    ['upc=999999999999', 'no such code'],
    ['upc=03600029145', 'part of a UPC'],
    ['upc=14006381333931', '14 digits'],
    ['upc=036-000-291452', 'not only digits'],
    ['upc=B0ABCD0001', 'an ASIN is not a UPC'],
    ['set=90003-1', 'no retailer sells it'],
  ])('200: %s returns null (%s) and is charged one credit', async (query) => {
    const before = await api.creditsUsed(account)
    expect(await findSet(query)).toBeNull()
    expect(await api.creditsUsed(account)).toBe(before + 1)
  })
})

describe('multiple identifiers', () => {
  test.each([
    ['set=90001&asin=B0ABCD0001&upc=4006381333931', '90001-1'],
    ['set=90001-1&upc=36000291452', '90001-1'],
    ['asin=B0ABCD0001&upc=001234567890', null],
    ['set=90001&asin=B0ABCD0002', null],
    ['set=90001&asin=B0ABCD9999', null],
    ['set=99999&asin=B0ABCD0001', null],
    ['set=90001&asin=B0ABCD0001&upc=999999999999', null],
    ['set=99999&asin=B0ABCD9999', null],
  ])('200: %s must match the same set: %s', async (query, found) => {
    expect(await findSet(query)).toBe(found)
  })
})

test('400: names the three parameters if none is given and charges nothing', async () => {
  const before = await api.creditsUsed(account)
  const response = await api.get('/retail-prices', account)
  expect([response.status, response.error.code]).toEqual([400, 'BadRequest'])
  for (const name of ['`set`', '`asin`', '`upc`']) expect(response.error.message).toContain(name)
  expect(await api.creditsUsed(account)).toBe(before)
})

test.each(['set=', 'asin=', 'upc=', 'set=1&set=1', 'asin=a&asin=b', 'upc=%00', 'ean=4006381333931', 'set=%E0%A4'])(
  '400: rejects %s and charges nothing',
  async (query) => {
    const before = await api.creditsUsed(account)
    const response = await api.get(`/retail-prices?${query}`, account)
    expect([response.status, response.error.code]).toEqual([400, 'BadRequest'])
    expect(await api.creditsUsed(account)).toBe(before)
  },
)
