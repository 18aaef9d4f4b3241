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

/** The day that the sample data ends at. Fixed, so that the pages can show what the samples really print. */
const TODAY = new Date('2026-11-15T00:00:00Z')

export type DemoApi = TestApi & { market: SyntheticMarket; reseller: TestAccount }

/** Starts an API with the sample data of the demo and its reseller account. */
export async function startDemoApi(): Promise<DemoApi> {
  const api = await startTestApi()
  const market = withRecentPriceChanges(generateMarket(1, TODAY))
  const pool = openPool(api.databaseUrl, { size: 1, statementTimeoutMs: 60_000 })
  await insertMarket(pool, market)
  const reseller = await api.createAccount()
  const client = await pool.connect()
  await client.query('begin')
  await insertPortfolio(client, reseller.accountId, generatePortfolio(1, 'reseller', market, TODAY))
  await client.query('commit')
  client.release()
  await pool.end()
  const visitor = await api.createAccount()
  const lastSet = market.sets.at(-1)!.set_number
  const arrived = async () => (await api.get(`/set/${lastSet}`, visitor)).status === 200
  await vi.waitUntil(arrived, { timeout: 20_000, interval: 200 })
  return { ...api, market, reseller }
}

/**
 * Moves the instants of retail prices to the present, because `changed_within` counts from the clock of the API. Prices
 * and the order of changes stay as they are.
 */
function withRecentPriceChanges(market: SyntheticMarket): SyntheticMarket {
  const age = Date.now() - TODAY.getTime()
  const move = (instant: string) => new Date(Date.parse(instant) + age).toISOString()
  return {
    ...market,
    retailStates: market.retailStates.map((state) => ({
      ...state,
      changed_at: state.changed_at && move(state.changed_at),
      last_checked_at: move(state.last_checked_at),
    })),
  }
}
