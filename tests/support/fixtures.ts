import type { Insertable } from 'kysely'
import type { Database } from '@brickmark/core/db/database'
import type {
  CatalogSet,
  MarketRetailState,
  MarketSetMonth,
  MarketSetValue,
  PortfolioLot,
  PortfolioSale,
} from '@brickmark/core/db/schema.generated'
import { createAccount } from '@brickmark/core/account/account-commands'
import { issueKey } from '@brickmark/core/account/api-key-commands'
import { setOperator } from '@brickmark/core/account/user-commands'

export const PEPPER = 'a pepper that is only good enough for tests'

export type TestAccount = { accountId: number; keyId: number; key: string }

let accounts = 0

/** Creates an account with a key. `limit` puts it on its own plan with that daily quota. */
/** Makes a user an operator. The second factor is only claimed: signing in would ask for it. */
export async function makeOperator(db: Database, email: string): Promise<void> {
  await db.updateTable('auth.user').set({ two_factor_enabled: true }).where('email', '=', email).execute()
  const problem = await setOperator(db, email, true)
  if (problem !== undefined) throw new Error(`${email}: ${problem}`)
}

export async function createTestAccount(
  db: Database,
  { plan = 'reseller', limit }: { plan?: string; limit?: number } = {},
): Promise<TestAccount> {
  const name = `account ${++accounts}`
  if (limit !== undefined) {
    await db
      .insertInto('account.plan')
      .values({ plan: name, api_access: true, daily_limit: limit })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  const accountId = await createAccount(db, { name, plan: limit === undefined ? plan : name, actor: 'test' })
  const { id, key } = await issueKey(db, [PEPPER], { accountId, name: 'test' })
  return { accountId, keyId: id, key }
}

/** Adds a set with required columns only, plus the given ones. */
export async function addSet(
  db: Database,
  set: Partial<Insertable<CatalogSet>> & { set_number: string },
): Promise<void> {
  await db
    .insertInto('catalog.set')
    .values({ title: `Set ${set.set_number}`, theme: 'Harbor', ...set })
    .execute()
}

/** Adds a sealed value of $100 with a range around it; `value` overrides the defaults. */
export async function addValue(
  db: Database,
  value: Partial<Insertable<MarketSetValue>> & { set_number: string },
): Promise<void> {
  await db
    .insertInto('market.set_value')
    .values({
      condition: 'sealed',
      value_cents: 10000,
      range_low_cents: 8000,
      range_high_cents: 12500,
      data_tier: 'market',
      calculated_at: '2026-06-27T03:10:00Z',
      ...value,
    })
    .execute()
}

export async function addMonth(
  db: Database,
  month: Partial<Insertable<MarketSetMonth>> & { set_number: string; month: string },
): Promise<void> {
  await db
    .insertInto('market.set_month')
    .values({ condition: 'sealed', value_cents: 10000, ...month })
    .execute()
}

/** Adds both retailers, which retail states reference. */
export async function addRetailers(db: Database): Promise<void> {
  await db
    .insertInto('catalog.retailer')
    .values([
      { retailer: 'retailer_a', name: 'Retailer A' },
      { retailer: 'retailer_b', name: 'Retailer B' },
    ])
    .execute()
}

/** Adds a retail state: in stock at $50, sold by the retailer itself, never changed. `state` overrides the defaults. */
export async function addRetailState(
  db: Database,
  state: Partial<Insertable<MarketRetailState>> & { set_number: string },
): Promise<void> {
  await db
    .insertInto('market.retail_state')
    .values({
      retailer: 'retailer_a',
      price_cents: 5000,
      seller_type: 'retailer',
      in_stock: true,
      flip_1p_to_3p: false,
      at_lowest: false,
      product_url: 'https://retailer-a.example/dp/B0TEST0000',
      last_checked_at: '2026-06-27T14:05:00Z',
      ...state,
    })
    .execute()
}

/** Adds a collection; returns its id. */
export async function addCollection(
  db: Database,
  accountId: number,
  { name = 'Stock', is_default = false }: { name?: string; is_default?: boolean } = {},
): Promise<number> {
  const { id } = await db
    .insertInto('portfolio.collection')
    .values({ account_id: accountId, name, is_default })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Adds a lot of one sealed unit bought for $60; `lot` overrides the defaults. Returns its id. */
export async function addLot(
  db: Database,
  lot: Partial<Insertable<PortfolioLot>> & { account_id: number; collection_id: number },
): Promise<number> {
  const { id } = await db
    .insertInto('portfolio.lot')
    .values({ condition: 'sealed', quantity: 1, purchase_price_cents: 6000, purchase_date: '2025-01-15', ...lot })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Adds a sale for $100 without fees; `sale` overrides the defaults. Returns its id. */
export async function addSale(
  db: Database,
  sale: Partial<Insertable<PortfolioSale>> & { account_id: number },
): Promise<number> {
  const { id } = await db
    .insertInto('portfolio.sale')
    .values({ platform: 'ebay', sale_date: '2026-03-01', quantity: 1, gross_proceeds_cents: 10000, ...sale })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
