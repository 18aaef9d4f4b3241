import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { startNode, type ApiNode } from '@brickmark/tests/support/api-node'
import { Client } from '@brickmark/tests/support/http-client'
import { REPOSITORY } from '@brickmark/tests/support/paths'
import { stopLater } from '@brickmark/tests/support/cleanup'
import { asRole } from '@brickmark/tests/support/database'
import { PEPPER } from '@brickmark/tests/support/fixtures'
import { rssMb } from '../process-stats.ts'
import { keyOf, type Population } from './population.ts'

/** One database with an api process over it. */
export type Side = {
  name: string
  url: string
  population: Population
  node: ApiNode
  start: { ms: number; rss_mb: number }
  /** Answers with 503 so far: a refusal says nothing about how long an answer takes, so it is counted apart. */
  refused(): number
  /** Asks under /api/v1 as an account until it is answered; resolves to how long the answer took and what came. */
  ask(account: number, path: string): Promise<{ ms: number; text: string }>
  stop(): Promise<void>
}

const ATTEMPTS = 5

/** Starts an api process as in production and waits until it is ready. */
export async function startSide(
  name: string,
  url: string,
  population: Population,
  env: Record<string, string> = {},
): Promise<Side> {
  const started = performance.now()
  const settings = { DATABASE_URL: asRole(url, 'brickmark_api'), API_KEY_PEPPERS: PEPPER, LOG_LEVEL: 'warn', ...env }
  const node = await startNode(REPOSITORY, settings)
  stopLater(() => node.stop(), node.pid)
  await ready(node)
  const start = { ms: Math.round(performance.now() - started), rss_mb: rssMb(node.pid!) }
  const client = new Client(node.port, 4)
  let refused = 0
  return {
    name,
    url,
    population,
    node,
    start,
    refused: () => refused,
    async ask(account, path) {
      const headers = { authorization: `Bearer ${keyOf(account)}` }
      for (let attempt = 0; ; attempt++) {
        const { ms, answer, problem } = await client.ask({ method: 'GET', target: `/api/v1${path}`, headers })
        if (answer?.status === 200) return { ms, text: answer.text }
        if (answer?.status !== 503 || attempt === ATTEMPTS) {
          throw new Error(`${name} ${path}: ${problem ?? `${answer?.status} ${answer?.text}`}`)
        }
        refused++
        await setTimeout(200)
      }
    },
    async stop() {
      client.close()
      await node.stop()
    },
  }
}

/** On a busy machine a start may take longer than a proof would wait. */
async function ready(node: ApiNode, patience = 10): Promise<void> {
  try {
    await node.ready()
  } catch (error) {
    if (patience === 0 || !node.running()) throw error
    await ready(node, patience - 1)
  }
}

/** An account that is no other's neighbour: the n-th of a walk through all of them. */
export function accountAt(n: number, { accounts }: Population): number {
  return 1 + ((n * 7919 + 13) % accounts)
}
