import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { startApiNode, type ApiNode } from '../../support/api-node.ts'
import { Client } from '../../support/http-client.ts'
import { REPOSITORY } from '../../support/paths.ts'
import { registerCleanup } from '../../support/cleanup.ts'
import { asRole } from '../../support/database.ts'
import { PEPPER } from '../../support/fixtures.ts'
import { rssMb } from '../process-stats.ts'
import { apiKeyFor, type Population } from './population.ts'

/** A database with an API process on top of it. */
export type ScaleTarget = {
  name: string
  url: string
  population: Population
  node: ApiNode
  start: { ms: number; rss_mb: number }
  /** Number of 503 responses so far. They are excluded from latencies, because a rejection says nothing about them. */
  rejectedCount(): number
  /** Sends a GET under /api/v1 as an account, retrying on 503; resolves to the latency and body of the 200. */
  request(account: number, path: string): Promise<{ ms: number; text: string }>
  stop(): Promise<void>
}

const ATTEMPTS = 5

/** Starts an API process as in production and waits until it is ready. */
export async function startTarget(
  name: string,
  url: string,
  population: Population,
  env: Record<string, string> = {},
): Promise<ScaleTarget> {
  const started = performance.now()
  const settings = { DATABASE_URL: asRole(url, 'brickmark_api'), API_KEY_PEPPERS: PEPPER, LOG_LEVEL: 'warn', ...env }
  const node = await startApiNode(REPOSITORY, settings)
  registerCleanup(() => node.stop(), node.pid)
  await waitUntilReady(node)
  const start = { ms: Math.round(performance.now() - started), rss_mb: rssMb(node.pid!) }
  const client = new Client(node.port, 4)
  let rejectedCount = 0
  return {
    name,
    url,
    population,
    node,
    start,
    rejectedCount: () => rejectedCount,
    async request(account, path) {
      const headers = { authorization: `Bearer ${apiKeyFor(account)}` }
      for (let attempt = 0; ; attempt++) {
        const { ms, response, error } = await client.request({ method: 'GET', target: `/api/v1${path}`, headers })
        if (response?.status === 200) return { ms, text: response.text }
        if (response?.status !== 503 || attempt === ATTEMPTS) {
          throw new Error(`${name} ${path}: ${error ?? `${response?.status} ${response?.text}`}`)
        }
        rejectedCount++
        await sleep(200)
      }
    },
    async stop() {
      client.close()
      await node.stop()
    },
  }
}

/** On a busy machine, startup may take longer than the timeout of the system tests. */
async function waitUntilReady(node: ApiNode, retries = 10): Promise<void> {
  try {
    await node.waitUntilReady()
  } catch (error) {
    if (retries === 0 || !node.isRunning()) throw error
    await waitUntilReady(node, retries - 1)
  }
}

/** The n-th account of a fixed pseudo-random walk, so that consecutive requests never touch neighboring rows. */
export function scatteredAccountId(n: number, { accounts }: Population): number {
  return 1 + ((n * 7919 + 13) % accounts)
}
