import { vi } from 'vitest'
import { openDatabase, openPool } from '@brickmark/core/db/database'
import { writeDueExports } from '@brickmark/core/export/export-commands'
import {
  generateMarket,
  generatePortfolio,
  insertMarket,
  insertPortfolio,
  type SyntheticMarket,
} from '@brickmark/tools/synthetic/index'
import { freePort } from '@brickmark/tools/local-postgres/local-postgres'
import { startTestApi, type TestApi } from '@brickmark/tests/support/api'
import type { TestAccount } from '@brickmark/tests/support/fixtures'
import { startDocs, type RunningDocs } from '../server/server.ts'

/** The day that the sample data ends at. Fixed, so that the pages can show what the samples really print. */
const TODAY = new Date('2026-11-15T00:00:00Z')

export type DemoApi = TestApi & { market: SyntheticMarket; resellerAccount: TestAccount }

/** Starts the docs at the address of the API, as behind the proxy of an installation, but without an API. */
export async function startDocsAlone(): Promise<RunningDocs> {
  const port = await freePort()
  return startDocs({ apiUrl: `http://127.0.0.1:${port}/api/v1`, webUrl: undefined, host: '127.0.0.1', port })
}

/** Starts an API with the sample data of the demo, and the docs on a port of their own. */
export async function startDemoDocs(): Promise<{ api: DemoApi; docs: RunningDocs }> {
  const port = await freePort()
  const api = await startDemoApi({ docsUrl: `http://127.0.0.1:${port}` })
  const docs = await startDocs({ apiUrl: `${api.origin}/api/v1`, webUrl: undefined, host: '127.0.0.1', port })
  return { api, docs }
}

/** Starts an API with the sample data of the demo and its resellerAccount account. */
export async function startDemoApi(options: { docsUrl?: string } = {}): Promise<DemoApi> {
  const api = await startTestApi(undefined, options)
  const market = withRecentPriceChanges(generateMarket(1, TODAY))
  const pool = openPool(api.databaseUrl, { size: 1, statementTimeoutMs: 60_000 })
  await insertMarket(pool, market)
  const resellerAccount = await api.createAccount()
  const client = await pool.connect()
  await client.query('begin')
  await insertPortfolio(client, resellerAccount.accountId, generatePortfolio(1, 'reseller', market, TODAY))
  await client.query('commit')
  client.release()
  await writeDueExports({ db: openDatabase(pool), now: () => new Date() })
  await pool.end()
  const visitor = await api.createAccount()
  const lastSet = market.sets.at(-1)!.set_number
  const arrived = async () => (await api.get(`/set/${lastSet}`, visitor)).status === 200
  await vi.waitUntil(arrived, { timeout: 20_000, interval: 200 })
  return { ...api, market, resellerAccount }
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
