import type { Database } from '@brickmark/core/db/database'
import { writeDueExports } from '@brickmark/core/export/export-commands'
import { startTestApi, type TestApi } from '@brickmark/tests/support/api'
import {
  addCollection,
  addLot,
  addMonth,
  addRetailers,
  addRetailState,
  addSale,
  addSet,
  addValue,
  type TestAccount,
} from '@brickmark/tests/support/fixtures'

export type TestService = { api: TestApi; baseUrl: string; account: TestAccount; brickfolioId: number }

export const HOLDINGS = 260
export const SALES = 3

/** Starts a real service with a small market and a reseller account with 260 lots (two pages). */
export async function startTestService(): Promise<TestService> {
  const api = await startTestApi(seedMarket)
  const account = await api.createAccount()
  const brickfolioId = await seedCollection(api.db, account)
  await addAlert(api.db, account)
  await writeDueExports({ db: api.db, now: () => new Date() })
  return { api, baseUrl: `${api.origin}/api/v1`, account, brickfolioId }
}

async function seedMarket(db: Database): Promise<void> {
  const name = 'Tidewater Lighthouse'
  const upc = '036000291452'
  await addSet(db, { set_number: '90001-1', title: name, pieces: 812, msrp_cents: 8999, asin: 'B0ABCD1234', upc })
  await addSet(db, { set_number: '90002-1', title: '=HYPERLINK("http://example.org")' })
  await addValue(db, { set_number: '90001-1' })
  await addValue(db, {
    set_number: '90001-1',
    condition: 'used',
    value_cents: 7110,
    range_low_cents: 6000,
    range_high_cents: 8400,
  })
  for (const [month, value_cents] of [
    ['2026-01', 9000],
    ['2026-02', 9500],
    ['2026-03', 10000],
  ] as const) {
    await addMonth(db, { set_number: '90001-1', month: `${month}-01`, value_cents })
  }
  await db.insertInto('catalog.minifig').values({ minifig_number: 'hbr001', name: 'Lighthouse Keeper' }).execute()
  await addRetailers(db)
  await addRetailState(db, {
    set_number: '90001-1',
    last_change_cents: -500,
    changed_at: new Date(Date.now() - 3_600_000),
  })
}

async function seedCollection(db: Database, { accountId }: TestAccount): Promise<number> {
  const brickfolioId = await addCollection(db, accountId, { name: 'Stock', is_default: true })
  const lot = { account_id: accountId, collection_id: brickfolioId, set_number: '90001-1' }
  for (let index = 1; index < HOLDINGS; index++) await addLot(db, lot)
  await addLot(db, { ...lot, purchase_price_cents: 15000, purchase_date: '2025-02-01' })
  for (let index = 0; index < SALES; index++) await addSale(db, { account_id: accountId, set_number: '90001-1' })
  return brickfolioId
}

async function addAlert(db: Database, { accountId }: TestAccount): Promise<void> {
  await db
    .insertInto('alert.alert')
    .values({
      account_id: accountId,
      rule_id: 1,
      change_id: 1,
      at: new Date(),
      kind: 'price_at_most',
      item_kind: 'set',
      item_number: '90001-1',
      retailer: 'retailer_a',
      facts: { price: 5000, threshold: 5500 },
    })
    .execute()
}
