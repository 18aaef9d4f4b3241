import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '@brickmark/tests/support/api'
import {
  addCollection,
  addLot,
  addRetailers,
  addRetailState,
  addSale,
  addSet,
  addValue,
} from '@brickmark/tests/support/fixtures'

/** Accounts own minifigs and custom items too, which the API doesn't return. */

let api: TestApi

beforeAll(async () => {
  api = await startTestApi(async (db) => {
    await addSet(db, { set_number: '90001-1', title: 'Tidewater Lighthouse', msrp_cents: 7999 })
    await addValue(db, { set_number: '90001-1', value_cents: 11240 })
    await addRetailers(db)
    await addRetailState(db, { set_number: '90001-1' })
    await db.insertInto('catalog.minifig').values({ minifig_number: 'mtw001', name: 'Keeper' }).execute()
    await sql`
      insert into market.minifig_value (minifig_number, value_cents, range_low_cents, range_high_cents, data_tier, calculated_at)
      values ('mtw001', 450, 400, 500, 'market', now())`.execute(db)
  })
})
afterAll(() => api.stop())

const PATHS = [
  '/api/v1/brickfolio',
  '/api/v1/brickfolio/entries',
  '/api/v1/brickfolio/entries?limit=1&offset=1',
  '/api/v1/brickfolio/analytics',
  '/api/v1/brickfolio/retail-watch',
  '/api/v1/salesledger',
  '/api/v1/salesledger?limit=1&offset=1',
  '/api/v1/set/90001-1/retail-prices',
  '/api/extensions/v1/lots',
  '/api/extensions/v1/sales',
]

test('what the account owns besides sets changes no byte of any answer', async () => {
  const account = await api.createAccount()
  const { accountId: account_id } = account
  const collection_id = await addCollection(api.db, account_id, { is_default: true })
  const lot = { account_id, collection_id }
  await addLot(api.db, { ...lot, set_number: '90001-1', quantity: 2 })
  await addLot(api.db, { ...lot, set_number: '90001-1' })
  await addSale(api.db, { account_id, set_number: '90001-1', sale_date: '2026-03-01' })
  await addSale(api.db, { account_id, set_number: '90001-1', sale_date: '2026-02-01' })
  const answers = async () =>
    Object.fromEntries(
      await Promise.all(
        PATHS.map(async (path) => {
          const response = await fetch(`${api.origin}${path}`, {
            headers: { authorization: `Bearer ${account.key}` },
          })
          // The metadata counts requests.
          const body = (await response.text()).replace(/,"meta":.*$/, '')
          return [path, { status: response.status, body }] as const
        }),
      ),
    )
  const before = await answers()
  expect(Object.values(before).map(({ status }) => status)).toEqual(PATHS.map(() => 200))

  const minifig = await addLot(api.db, { ...lot, minifig_number: 'mtw001', condition: 'used', quantity: 3 })
  const custom = { custom_name: 'Mixed bricks', condition: null, own_value_cents: 9000, own_value_date: '2026-10-25' }
  await addLot(api.db, { ...lot, ...custom })
  const sale_id = await addSale(api.db, { account_id, minifig_number: 'mtw001', sale_date: '2026-02-15' })
  await api.db.insertInto('portfolio.sale_lot').values({ account_id, sale_id, lot_id: minifig, quantity: 1 }).execute()
  await addSale(api.db, { account_id, custom_name: 'Mixed bricks', sale_date: '2026-04-01' })
  expect(await answers()).toEqual(before)
})
