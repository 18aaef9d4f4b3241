import { vi } from 'vitest'
import { openPool } from '@brickmark/core/db/database'
import {
  generateMarket,
  generatePortfolio,
  insertMarket,
  insertPortfolio,
  type SyntheticMarket,
} from '@brickmark/tools/synthetic/index'
import { startTestApi, type TestApi } from '@brickmark/tests/support/api'
import type { TestAccount } from '@brickmark/tests/support/fixtures'

export type DemoApi = TestApi & { market: SyntheticMarket; reseller: TestAccount }

/** Starts an API with the sample data of the demo and its reseller account. */
export async function startDemoApi(): Promise<DemoApi> {
  const api = await startTestApi()
  const today = new Date()
  const market = generateMarket(1, today)
  const pool = openPool(api.databaseUrl, { size: 1, statementTimeoutMs: 60_000 })
  await insertMarket(pool, market)
  const reseller = await api.createAccount()
  const client = await pool.connect()
  await client.query('begin')
  await insertPortfolio(client, reseller.accountId, generatePortfolio(1, 'reseller', market, today))
  await client.query('commit')
  client.release()
  await pool.end()
  const visitor = await api.createAccount()
  const lastSet = market.sets.at(-1)!.set_number
  const arrived = async () => (await api.get(`/set/${lastSet}`, visitor)).status === 200
  await vi.waitUntil(arrived, { timeout: 20_000, interval: 200 })
  return { ...api, market, reseller }
}
